// The contract between a model's shared library (model.cpp) and its host (package verilator). It is
// one symbol, cosim_api, which is a table of functions.
#ifndef COSIM_API_H
#define COSIM_API_H

#include <stdint.h>

typedef struct cosim_model cosim_model;

// Why a run ended before its last row.
enum {
    COSIM_RAN = 0,         // it did not
    COSIM_FINISH = 1,      // $finish
    COSIM_STOP = 2,        // $stop
    COSIM_FATAL = 3,       // $fatal
    COSIM_ERROR = 4,       // an error of Verilator's runtime, for example no convergence
    COSIM_UNANSWERED = 5,  // COSIM_ASK without an answer
    COSIM_HUNG = 6,        // a loop of the design's was left after the timeout
    // A row has a value that its port cannot hold. It was not played, and the model can go on.
    COSIM_MISFIT = 7,
    COSIM_FLOOD = 8,  // more than COSIM_MAX_ERRORS bytes of errors were printed
};

enum { COSIM_MAX_ERRORS = 8 << 20 };

typedef struct {
    int64_t rows;     // rows whose outputs were sampled, if the run ended early
    uint64_t cycle;   // during which it ended
    int64_t records;  // bytes that records() has, set by every call
    uint64_t simulator;  // ns in evaluations
    int32_t why;      // COSIM_*
    int32_t line;     // the place in RTL, or 0 if unknown
    char file[256];
    char message[1024];
} cosim_end;

// A question of COSIM_ASK.
typedef struct {
    const char* scope;
    const char* name;
    uint64_t cycle;
    uint64_t value;
} cosim_question;

typedef struct {
    uint64_t seed;            // of power-up values and unknowns
    const uint64_t* periods;  // of the clocks, in fs
    const uint64_t* phases;
    uint64_t timeout;  // of an evaluation, in ns
    int32_t timed;     // whether end.simulator is counted
    const char* wave;  // the path of a waveform, or ""
    uint64_t wave_from, wave_to;
    int32_t events;  // whether events are wanted
    // Answers a question. Returns 0 if there is no answer.
    int32_t (*ask)(void* host, const cosim_question* question, uint64_t* answer);
    void* host;
} cosim_options;

// What records() returns: a sequence of records, each of this header, then strings and numbers.
enum {
    COSIM_TEXT = 1,   // printed text: a string
    COSIM_PLACE = 2,  // file and line of the text before: a string, a number
    COSIM_LOG = 3,    // scope, severity, text
    COSIM_EVENT = 4,  // scope, name, number of values, four values
};
typedef struct {
    int32_t kind;
    int32_t size;    // of what follows, bytes
    uint64_t cycle;  // during which it happened
} cosim_record;

typedef struct {
    // A new model, of which *end becomes a part.
    cosim_model* (*create)(cosim_end* end);
    // Must be called before the others if this thread's last call was for another model.
    void (*enter)(cosim_model* m);
    // Settles at time 0 with the clocks low and all inputs 0. Returns COSIM_*.
    int32_t (*start)(cosim_model* m, const cosim_options* options);
    // Plays n rows. Returns COSIM_*.
    int32_t (*run)(cosim_model* m, const uint8_t* in, uint8_t* out, int64_t n);
    // Applies a row of inputs, settles before the next row's edges, and samples.
    int32_t (*settle)(cosim_model* m, const uint8_t* in, uint8_t* out);
    // Returns where a part of the internal signal with a number lies. Part 0 is its value, part 1
    // the mask of the bits that are forced, part 2 the values that they are forced to. NULL for
    // parts 1 and 2 if the signal cannot be forced.
    void* (*signal)(cosim_model* m, int32_t signal, int32_t part);
    // Returns coverage as text, valid until the next call, or NULL if that failed.
    const char* (*coverage)(cosim_model* m);
    // Returns the counters of coverage, or NULL if there are none.
    uint32_t* (*counters)(cosim_model* m);
    // Runs the final blocks, unless the model was left in the middle of an evaluation, and
    // completes the waveform. Returns COSIM_*.
    int32_t (*finish)(cosim_model* m, int32_t whole);
    // Notes in *end how far a run came before it crashed.
    void (*crashed)(cosim_model* m);
    // Returns what has happened since the last clear.
    const char* (*records)(cosim_model* m);
    void (*clear)(cosim_model* m);
    void (*destroy)(cosim_model* m);
} cosim_api_t;

#endif
