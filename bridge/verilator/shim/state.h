// A model's state, and which model a thread is running.
#ifndef COSIM_STATE_H
#define COSIM_STATE_H

#include <time.h>

#include <cstdint>
#include <memory>
#include <string>

#include "Vdut.h"
#include "Vdut___024root.h"
#include "Vdut__Syms.h"
#include "verilated.h"

#include "api.h"
// COSIM_CLOCKS, and cosim_apply, cosim_sample, cosim_clock, which copy between a row and the ports.
#include "ports.inc"
#include "schedule.h"

#include "wave.h"

struct cosim_model {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vdut> dut;
    cosim_options options{};
    cosim_end* end = nullptr;
    int why = COSIM_RAN;
    cosim_clock_state clocks[COSIM_CLOCKS];
    uint64_t instant = 0;  // of the last row
    uint64_t now = 0;      // in units of the model's time precision, as all times here
    uint64_t cycle = 0;    // rows completed
    uint64_t first = 0;    // cycle of the run's first row

    bool counts = false;  // coverage of all kinds counts: there was a row that is not in reset
    uint32_t risen = 0;   // mask of the clocks that have risen before that

    uint64_t loop_start = 0;  // ns: when a loop of the evaluation at loop_now was first noticed
    uint64_t loop_now = 0;

    std::string records;   // see api.h
    size_t text = 0;       // bytes of text in records
    size_t errors = 0;     // bytes of the errors that came after too much text
    bool dropped = false;  // text was dropped
    cosim::Wave wave{};
    // The line of the %Error or %Fatal printed last, until vl_stop_maybe has seen it.
    std::string printed;
};

namespace cosim {

// $stop, $fatal and runtime errors throw this out of eval(). The model cannot be used afterwards.
struct Stop {};

// The model that this thread is running, or has run last. Goroutines move between threads, so
// enter() sets it, together with Verilator's own variable for the current context.
inline thread_local cosim_model* current = nullptr;

// Notes why the current model ends.
inline void note(int why, const char* file, int line, const char* message) {
    cosim_model* m = current;
    if (m->why != COSIM_RAN) return;
    m->why = m->end->why = why;
    m->end->line = line;
    m->end->cycle = m->cycle;
    snprintf(m->end->file, sizeof m->end->file, "%s", file);
    snprintf(m->end->message, sizeof m->end->message, "%s", message);
}

inline uint64_t nanoseconds() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}

}  // namespace cosim

#endif
