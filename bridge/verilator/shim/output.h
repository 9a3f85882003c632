// What a model prints and how it ends. This is the part of the library that does not depend on the
// model: output.cpp is compiled once for all models.
#ifndef COSIM_OUTPUT_H
#define COSIM_OUTPUT_H

#include <time.h>

#include <cstdint>
#include <string>

#include "api.h"

namespace cosim {

// $stop, $fatal and runtime errors throw this out of eval(). The model cannot be used afterwards.
struct Stop {};

// What a model prints, as records with their cycle, and how it ends.
struct Output {
    cosim_options options{};
    cosim_end* end = nullptr;
    int why = COSIM_RAN;
    uint64_t now = 0;    // in units of the model's time precision
    uint64_t cycle = 0;  // rows completed

    uint64_t loop_start = 0;  // ns: when a loop of the evaluation at loop_now was first noticed
    uint64_t loop_now = 0;

    std::string records;   // see api.h
    size_t text = 0;       // bytes of text in records
    size_t errors = 0;     // bytes of the errors that came after too much text
    bool dropped = false;  // text was dropped
    // The line of the %Error or %Fatal printed last, until vl_stop_maybe has seen it.
    std::string printed;
};

// That of the model that this thread is running, or has run last. Goroutines move between threads,
// so enter() sets it, together with Verilator's own variable for the current context.
extern __thread Output* current;

// Notes why the current model ends.
void note(int why, const char* file, int line, const char* message);

inline uint64_t nanoseconds() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

}  // namespace cosim

// Reports whether a $fatal stands at a place of the design. The model has it, in ports.inc.
bool cosim_is_fatal(const char* file, int line);

#endif
