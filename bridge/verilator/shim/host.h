// Included before everything in every file of a model: what Verilator's runtime
// shall call instead of printf, exit and abort. The runtime is compiled into each
// model's shared library, so these are the library's own and hidden.
#ifndef COSIM_HOST_H
#define COSIM_HOST_H

#ifdef __cplusplus
extern "C++" {
__attribute__((format(printf, 1, 2))) void cosim_printf(const char* format, ...);
}

// The bridge puts this into each loop of generated code that is the design's. After a while of one
// evaluation it throws.
void cosim_looping();
static inline void cosim_beat(unsigned& count) {
    if (__builtin_expect((++count & 1023) == 0, 0)) cosim_looping();
}
extern thread_local unsigned cosim_shared_count;  // of loops that have no place for a count

// not in verilated.h
void vl_stop_maybe(const char* file, int line, const char* scope, bool maybe);
#endif

#define VL_PRINTF cosim_printf
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_STOP_MAYBE
#define VL_USER_FATAL

#endif
