// The contract between a model's shared library (model.cpp) and its host
// (verilator.go): one symbol, cosim_api, a table of functions.
#ifndef COSIM_API_H
#define COSIM_API_H

#include <stdint.h>

typedef struct cosim_model cosim_model;

// Why a run ended before its last row.
enum {
    COSIM_RAN = 0,     // it did not
    COSIM_FINISH = 1,  // $finish
    COSIM_STOP = 2,    // $stop, $fatal, an assertion, too many $error
    COSIM_FATAL = 3,   // an error of Verilator's runtime, for example no convergence
};

typedef struct {
    int64_t rows;   // rows whose outputs were sampled
    int64_t text;   // bytes that text() has; this one is set after every run
    int32_t why;    // COSIM_*
    int32_t line;   // where, in RTL: 0 if unknown
    char file[256];
    char message[1024];
} cosim_end;

typedef struct {
    // A new model, power-up values and unknowns randomised by the seed, settled at
    // time 0 with the clocks low and all inputs 0. The clocks' periods and phases are
    // in fs. NULL, and *end, if that failed.
    cosim_model* (*create)(uint64_t seed, const uint64_t* periods, const uint64_t* phases, cosim_end* end);
    // Plays n rows. Returns COSIM_*, and *end if it is not COSIM_RAN.
    int32_t (*run)(cosim_model* m, const uint8_t* in, uint8_t* out, int64_t n, cosim_end* end);
    // Applies a row of inputs, settles before the next row's edges, and samples.
    int32_t (*settle)(cosim_model* m, const uint8_t* in, uint8_t* out, cosim_end* end);
    // What the model has printed; forgotten by clear.
    const char* (*text)(cosim_model* m, int64_t* length);
    void (*clear)(cosim_model* m);
    void (*destroy)(cosim_model* m);
} cosim_api_t;

#endif
