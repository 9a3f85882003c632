// What Verilator's runtime calls instead of printf, exit and abort. Every file of a model includes
// this one first. The runtime is compiled into each model's shared library, so these functions
// belong to the library and are hidden.
#ifndef COSIM_HOST_H
#define COSIM_HOST_H

#ifdef __cplusplus
extern "C++" {
__attribute__((format(printf, 1, 2))) void cosim_printf(const char* format, ...);
}

// The bridge puts cosim_beat into each loop of the design in generated code. If one evaluation
// takes too long, cosim_looping throws.
void cosim_looping();
static inline void cosim_beat(unsigned& count) {
    if (__builtin_expect((++count & 1023) == 0, 0)) cosim_looping();
}
extern thread_local unsigned cosim_shared_count;  // for do loops, which have no place for their own

// This function is not declared in verilated.h.
void vl_stop_maybe(const char* file, int line, const char* scope, bool maybe);
#endif

#define VL_PRINTF cosim_printf
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_STOP_MAYBE
#define VL_USER_FATAL

#endif
