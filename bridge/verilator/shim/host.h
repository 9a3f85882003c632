// Included before everything in every file of a model: what Verilator's runtime
// shall call instead of printf, exit and abort. The runtime is compiled into each
// model's shared library, so these are the library's own and hidden.
#ifndef COSIM_HOST_H
#define COSIM_HOST_H

#ifdef __cplusplus
extern "C++" {
__attribute__((format(printf, 1, 2))) void cosim_printf(const char* format, ...);
}
void vl_stop_maybe(const char* file, int line, const char* scope, bool maybe);  // not in verilated.h
#endif

#define VL_PRINTF cosim_printf
#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_STOP_MAYBE
#define VL_USER_FATAL

#endif
