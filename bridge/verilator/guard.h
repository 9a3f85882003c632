// The C side of an instance: calls of a model's library that return if the model crashes.
#ifndef COSIM_GUARD_H
#define COSIM_GUARD_H

#include "api.h"

// A reason for the end of a run, beside those in api.h: the model crashed.
enum { COSIM_CRASHED = 100 };

typedef struct {
    const cosim_api_t* api;
    cosim_model* model;
    uint64_t id;  // of the model, unique in this process
    cosim_end end;
    uintptr_t handle;  // of the Go instance
    int abandoned;     // a question was left without an answer: Go panicked
    // The last crash.
    int signal;     // 0 if there was none
    void* pc;       // the code that crashed
    void* address;  // the address that it accessed
    int stack_full;
} cosim_host;

// Installs handlers for signals. A crash within a model then ends the call of the model; any other
// goes to the handler that was there before. It is called once per process.
void cosim_catch_crashes(void);

// The functions of the api, which can also return COSIM_CRASHED.
// cosim_start sets ask and host of the options.
int32_t cosim_start(cosim_host* h, cosim_options* options);
int32_t cosim_run(cosim_host* h, const uint8_t* in, uint8_t* out, int64_t n);
// The same as cosim_run, but it may call Go: see #cgo noescape in instance.go.
int32_t cosim_run_asking(cosim_host* h, const uint8_t* in, uint8_t* out, int64_t n);
int32_t cosim_settle(cosim_host* h, const uint8_t* in, uint8_t* out);
int32_t cosim_finish(cosim_host* h);
int32_t cosim_destroy(cosim_host* h);

const char* cosim_coverage(cosim_host* h);

// Where an internal signal lies: see api.h.
void* cosim_signal(cosim_host* h, int32_t signal, int32_t part);

// Returns the function that an address is in, or the library and offset. The caller frees it.
char* cosim_place(void* pc);

#endif
