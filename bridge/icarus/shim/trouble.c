/* What is done when vvp crashes or hangs: the text that was printed in the present row is written,
 * and the host is told what vvp is busy with. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "cosim.h"

static char printed[1 << 16]; /* stdout's buffer, which is flushed row by row: see mark_output */

static void write_printed(void) {
    if (write(STDOUT_FILENO, printed, __fpending(stdout)) < 0) return; /* nothing else can be done */
}

static void on_crash(int signal_number) {
    write_printed();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* The host has given up waiting. */
static void on_give_up(int signal_number) {
    (void)signal_number;
    write_printed();
    _exit(3);
}

/* Functions and a variable within vvp, which versions 11 and 13 have. schedule_stop breaks
 * vvp out of a loop in the RTL. vvp then asks on its terminal what to do, and continues as there
 * is none. schedule_single_step prints the next event. */
static void (*vvp_stop)(int), (*vvp_step)(int);
static char *vvp_stop_is_finish; /* a C++ bool */

/* The host wants to know what vvp is busy with. */
static void on_where(int signal_number) {
    (void)signal_number;
    if (!vvp_stop || !vvp_step || !vvp_stop_is_finish) return;
    *vvp_stop_is_finish = 0;
    vvp_step(0);
    vvp_stop(0);
}

static void handle(int signal_number, void (*f)(int)) {
    struct sigaction a = {.sa_handler = f, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigaction(signal_number, &a, NULL);
}

void trouble_prepare(void) {
    setvbuf(stdout, printed, _IOFBF, sizeof printed);
    static char stack[1 << 16]; /* the crash may be an overflow of the usual one */
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    *(void **)&vvp_stop = dlsym(RTLD_DEFAULT, "_Z13schedule_stopi");
    *(void **)&vvp_step = dlsym(RTLD_DEFAULT, "_Z20schedule_single_stepi");
    vvp_stop_is_finish = dlsym(RTLD_DEFAULT, "stop_is_finish");
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) handle(crashes[i], on_crash);
    handle(SIGUSR1, on_where);
    handle(SIGUSR2, on_give_up);
}
