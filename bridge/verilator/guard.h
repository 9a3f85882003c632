// The C side of an instance: calls of a model's library from which crashes come back.
#ifndef COSIM_GUARD_H
#define COSIM_GUARD_H

#include "api.h"

// What COSIM_* has for the host's own end.
enum { COSIM_CRASHED = 100 };

typedef struct {
    const cosim_api_t* api;
    cosim_model* model;
    uint64_t id;  // of the model in this process
    cosim_end end;
    uintptr_t handle;  // of the Go instance
    int abandoned;     // Go left a question without returning
    // A crash: the signal, where, and the address that was touched.
    int signal;
    void* pc;
    void* address;
    int stack_full;
} cosim_host;

// Makes crashes within models come back; all others go where they went before. Once per process.
void cosim_catch_crashes(void);

// The functions of the api. What they return can be COSIM_CRASHED.
// sets the questions' part of the options
int32_t cosim_start(cosim_host* h, cosim_options* options);
int32_t cosim_run(cosim_host* h, const uint8_t* in, uint8_t* out, int64_t n);
// the same; it may call Go
int32_t cosim_run_asking(cosim_host* h, const uint8_t* in, uint8_t* out, int64_t n);
int32_t cosim_settle(cosim_host* h, const uint8_t* in, uint8_t* out);
int32_t cosim_finish(cosim_host* h);
int32_t cosim_destroy(cosim_host* h);

const char* cosim_coverage(cosim_host* h);

// Where an internal signal lies: see api.h.
void* cosim_signal(cosim_host* h, int32_t signal, int32_t part);

// The function that an address is in, or the library and offset: malloc'ed.
char* cosim_place(void* pc);

#endif
