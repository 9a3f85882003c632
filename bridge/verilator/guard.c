#define _GNU_SOURCE
#include "guard.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

// A call of a model. within is the one that this thread is in, or NULL.
typedef struct {
    cosim_host* host;
    void* buffer[5];  // for __builtin_setjmp, which saves less than setjmp
} entry;
static __thread entry* within;

// The id of the model that this thread has entered last, as that model's library knows. It is kept
// here because thread-local variables are slow in libraries that are loaded later.
static __thread uint64_t entered;

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction before[NSIG];

// The handler of these signals. It runs on the signal stack that Go gives to each thread.
static void crashed(int sig, siginfo_t* info, void* context) {
    entry* e = within;
    if (!e) {
        if (before[sig].sa_flags & SA_SIGINFO) {
            before[sig].sa_sigaction(sig, info, context);
        } else if (before[sig].sa_handler != SIG_DFL && before[sig].sa_handler != SIG_IGN) {
            before[sig].sa_handler(sig);
        } else {
            signal(sig, SIG_DFL);
            raise(sig);
        }
        return;
    }
    const ucontext_t* u = context;
    within = NULL;
    e->host->signal = sig;
    e->host->address = info->si_addr;
    uintptr_t sp = 0;
#if defined __x86_64__
    e->host->pc = (void*)u->uc_mcontext.gregs[REG_RIP];
    sp = u->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    e->host->pc = (void*)u->uc_mcontext.pc;
    sp = u->uc_mcontext.sp;
#endif
    // An access to the page below a stack is a fault. Models are compiled with
    // -fstack-clash-protection, so that they do not skip this page.
    const uintptr_t near = 1 << 16, address = (uintptr_t)info->si_addr;
    e->host->stack_full = sig == SIGSEGV && address + near > sp && address < sp + near;
    sigset_t mask = u->uc_sigmask;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    __builtin_longjmp(e->buffer, 1);
}

void cosim_catch_crashes(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = crashed;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&action.sa_mask);  // as Go does: all its handlers use the same signal stack
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, &before[signals[i]]);
}

// After a crash.
static int32_t lost(cosim_host* h) {
    h->api->crashed(h->model);
    return COSIM_CRASHED;
}

// Calls f and returns what it returns, or COSIM_CRASHED if f crashes. It is a macro because
// __builtin_setjmp must be called in a frame that still exists when a crash jumps to it.
#define GUARDED(h, f)                                         \
    do {                                                      \
        entry e;                                              \
        e.host = h;                                           \
        if (__builtin_setjmp(e.buffer)) return lost(h);       \
        within = &e;                                          \
        if (entered != h->id) {                               \
            h->api->enter(h->model);                          \
            entered = h->id;                                  \
        }                                                     \
        const int32_t why = f;                                \
        within = NULL;                                        \
        return why;                                           \
    } while (0)

// Reports whether the model was not left in the middle of an evaluation.
static int whole(const cosim_host* h) { return h->signal == 0 && !h->abandoned; }

static int32_t destroy(cosim_host* h) {
    h->api->destroy(h->model);
    return COSIM_RAN;
}

// In message.go.
extern int32_t cosimAsk(uintptr_t handle, cosim_question* question, uint64_t* answer);

// Go answers a question of a model. Until it has, this thread is not within the model: a crash is
// Go's own, and another model may run on this thread. If Go panics, this function does not return.
static int32_t ask(void* host, const cosim_question* question, uint64_t* answer) {
    cosim_host* h = host;
    entry* e = within;
    within = NULL;
    h->abandoned = 1;
    const int32_t answered = cosimAsk(h->handle, (cosim_question*)question, answer);
    h->abandoned = 0;
    within = e;
    h->api->enter(h->model);
    entered = h->id;
    return answered;
}

int32_t cosim_start(cosim_host* h, cosim_options* options) {
    options->ask = ask;
    options->host = h;
    static atomic_uint_fast64_t ids;
    h->id = ++ids;
    h->model = h->api->create(&h->end);
    GUARDED(h, h->api->start(h->model, options));
}
int32_t cosim_run(cosim_host* h, const uint8_t* in, uint8_t* out, int64_t n) { GUARDED(h, h->api->run(h->model, in, out, n)); }
int32_t cosim_run_asking(cosim_host* h, const uint8_t* in, uint8_t* out, int64_t n) { return cosim_run(h, in, out, n); }
int32_t cosim_settle(cosim_host* h, const uint8_t* in, uint8_t* out) { GUARDED(h, h->api->settle(h->model, in, out)); }
int32_t cosim_finish(cosim_host* h) { GUARDED(h, h->api->finish(h->model, whole(h))); }
int32_t cosim_destroy(cosim_host* h) {
    if (!whole(h)) return COSIM_RAN;  // its memory is left as it is
    GUARDED(h, destroy(h));
}

const char* cosim_coverage(cosim_host* h) {
    h->api->enter(h->model);
    entered = h->id;
    return h->api->coverage(h->model);
}
void* cosim_signal(cosim_host* h, int32_t signal, int32_t part) { return h->api->signal(h->model, signal, part); }

char* cosim_place(void* pc) {
    Dl_info info;
    char* text = NULL;
    if (!dladdr(pc, &info) || !info.dli_fname) {
        if (asprintf(&text, "address %p", pc) < 0) text = NULL;
    } else if (info.dli_sname) {
        if (asprintf(&text, "%s (%s+%#lx)", info.dli_sname, info.dli_fname, (unsigned long)((char*)pc - (char*)info.dli_fbase)) < 0) text = NULL;
    } else {
        if (asprintf(&text, "%s+%#lx", info.dli_fname, (unsigned long)((char*)pc - (char*)info.dli_fbase)) < 0) text = NULL;
    }
    return text;
}
