/* The VPI module: plays the host's rows in vvp, a row per clock cycle.
 *
 * +cosim-top=NAME names the top module. With +cosim-ports=FILE the module writes the top's ports
 * to FILE and ends; with +cosim-signals=FILE it also writes the names of all signals. Otherwise it
 * plays rows, and +cosim-fd=N is the descriptor of the memory shared with the host.
 *
 * schedule.h says in which order things happen. For a single clock a row takes two callbacks. Both
 * are scheduled by time: values written from value-change callbacks would race with the design.
 *     inputs:  clock 0, the row's inputs            (then the design settles)
 *     instant: outputs to the row, then clock 1     (before all else of that time)
 * The host is answered at the next event after the instant. By then everything that the rising
 * edge caused is over.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cosim.h"
#include "schedule.h"

cosim_header *host;
uint8_t *arena;
uint64_t cycle;

static uint8_t *in_rows, *out_rows, *unknown_rows;
static port *inputs, *outputs, *clocks;
static cosim_clock_state *clock_states;
static uint32_t n_inputs, n_outputs, n_clocks;
static uint8_t *last_in;   /* the inputs as they are driven now */
static int64_t row, rows;  /* being played; of this run */
static int settling;       /* the command is COSIM_SETTLE */
static int quitting;       /* the command was COSIM_QUIT */
static uint32_t handled;   /* the last request */
static uint64_t since;     /* when it came, if host->timed */
static vpiHandle wave_on, wave_off; /* begin and end the waveform when they are set */

/* Which part of a row the simulation is in. */
static enum { BETWEEN_ROWS, BEFORE_INPUTS, AFTER_INPUTS } stage;
static uint64_t now, instant; /* ticks; the last row's instant */
static uint64_t target;       /* the time of the callback that was asked for */
static cosim_row_times next;  /* of the row being played, or to be played next */

static PLI_INT32 on_time(p_cb_data d);
static PLI_INT32 on_instant(p_cb_data d);
static PLI_INT32 on_settled(p_cb_data d);

static void at(PLI_INT32 reason, PLI_UINT64 time, PLI_INT32 (*f)(p_cb_data)) {
    s_vpi_time t = {.type = vpiSimTime, .high = (PLI_UINT32)(time >> 32), .low = (PLI_UINT32)time};
    s_cb_data d = {.reason = reason, .cb_rtn = f, .time = &t};
    vpi_register_cb(&d); /* vvp frees the handle after the callback */
}

static void futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

static uint64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* If anything was printed since the last call, adds the record with its cycle and flushes. If vvp
 * dies later, the host has it. */
static inline void mark_output(void) {
    if (__builtin_expect(__fpending(stdout) != 0, 0)) {
        printf(COSIM_BEGIN "c%" PRIu64 COSIM_END, cycle);
        fflush(stdout);
    }
}

void answer(uint32_t why) {
    mark_output(); /* the host may look at the messages now */
    host->why = why;
    if (host->timed) host->busy += clock_ns() - since;
    __atomic_add_fetch(&host->reply, 1, __ATOMIC_SEQ_CST);
    futex_wake(&host->reply);
}

void fail(const char *what, const char *name) {
    if (host) {
        snprintf(host->message, sizeof host->message, "%s%s", what, name);
        answer(COSIM_FAILED);
    } else {
        fprintf(stderr, "cosim: %s%s\n", what, name);
    }
    fflush(NULL);
    _exit(3);
}

static int requested(void) { return __atomic_load_n(&host->request, __ATOMIC_ACQUIRE) != handled; }

/* Spins for the next request, then sleeps. Spinning is of use only while the host answers fast and
 * has a core of its own. So each time that no request comes while it spins, it spins for half as
 * long from then on; every 64 calls it begins with the longest time again. When the parent dies,
 * the kernel kills this process (PDEATHSIG); to check that here as well costs nothing. */
void wait_request(void) {
    static pid_t parent;
    static uint32_t spin, waits;
    if (!parent) parent = getppid();
    if (waits++ % 64 == 0) spin = host->spin;
    uint32_t i = 0;
    for (; i < spin && !requested(); i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    if (i == spin) spin /= 2;
    while (!requested()) {
        struct timespec second = {.tv_sec = 1};
        syscall(SYS_futex, &host->request, FUTEX_WAIT, handled, &second, NULL, 0);
        if (getppid() != parent) _exit(0);
    }
    handled = __atomic_load_n(&host->request, __ATOMIC_ACQUIRE);
    if (host->timed) since = clock_ns();
    if (host->command == COSIM_QUIT) {
        quitting = 1;
        vpi_control(vpiFinish, 0);
    }
}

static void apply(const uint8_t *bytes) {
    for (uint32_t i = 0; i < n_inputs; i++) {
        const port *p = &inputs[i];
        if (memcmp(last_in + p->offset, bytes + p->offset, p->size) != 0) {
            put_port(p, bytes + p->offset);
            memcpy(last_in + p->offset, bytes + p->offset, p->size);
        }
    }
}

/* A cycle begins: the inputs of its row are applied next. */
static void begin_cycle(void) {
    mark_output();
    host->cycle = cycle = host->first + (uint64_t)row;
    if (__builtin_expect(wave_on != NULL, 0) && !settling) {
        if (cycle == host->wave_from) put_bit(wave_on, 1);
        if (cycle == host->wave_to + 1) put_bit(wave_off, 1);
    }
}

static void go(uint64_t time) {
    target = time;
    at(cbAfterDelay, time - now, on_time);
}

static void lower_clocks(void) {
    for (uint32_t i = 0; i < n_clocks; i++)
        if (clock_states[i].fall <= now) {
            if (clocks[i].handle) put_bit(clocks[i].handle, 0);
            cosim_falls(&clock_states[i]);
        }
}

static void raise_clocks(void) {
    for (uint32_t i = 0; i < n_clocks; i++)
        if (clock_states[i].rise == now) {
            if (clocks[i].handle) put_bit(clocks[i].handle, 1);
            cosim_rises(&clock_states[i]);
        }
}

/* The time of the next event of the row while its inputs are not yet applied. */
static uint64_t next_before_inputs(void) {
    uint64_t fall = cosim_next_fall(clock_states, (int)n_clocks);
    return fall < next.inputs ? fall : next.inputs;
}

/* Answers that the command is done, and waits for the next run. Returns 0 if vvp is to quit. */
static int next_run(void) {
    answer(COSIM_DONE);
    do wait_request();
    while (internals_command());
    if (quitting) return 0;
    settling = host->command == COSIM_SETTLE;
    rows = settling ? 1 : host->rows;
    host->sampled = row = 0;
    return 1;
}

/* Continues from the present time, at which values may be written. */
static void proceed(void) {
    if (stage == BETWEEN_ROWS) {
        if (row == rows && !next_run()) return;
        stage = BEFORE_INPUTS;
    }
    if (stage == BEFORE_INPUTS) {
        uint64_t event = next_before_inputs();
        if (event > now) {
            go(event);
            return;
        }
        if (next.inputs <= now) begin_cycle();
        lower_clocks();
        if (next.inputs > now) {
            go(next_before_inputs());
            return;
        }
        apply(in_rows + row * host->in_size);
        stage = AFTER_INPUTS;
    } else {
        lower_clocks();
    }
    uint64_t fall = cosim_next_fall(clock_states, (int)n_clocks);
    if (fall < next.instant)
        go(fall);
    else if (settling)
        at(cbReadWriteSynch, 0, on_settled);
    else
        at(cbAtStartOfSimTime, next.instant, on_instant);
}

static PLI_INT32 on_time(p_cb_data d) {
    (void)d;
    now = target;
    proceed();
    return 0;
}

static void sample(void) {
    uint8_t *out = out_rows + row * host->out_size, *unknown = unknown_rows + row * host->out_size;
    for (uint32_t i = 0; i < n_outputs; i++) get_port(&outputs[i], out + outputs[i].offset, unknown + outputs[i].offset);
    row++;
    __atomic_store_n(&host->sampled, row, __ATOMIC_RELEASE);
}

static PLI_INT32 on_instant(p_cb_data d) {
    (void)d;
    sample();
    instant = now = next.instant;
    lower_clocks();
    raise_clocks();
    next = cosim_next_row(clock_states, (int)n_clocks, instant);
    stage = BETWEEN_ROWS;
    go(next_before_inputs());
    return 0;
}

/* The row of a COSIM_SETTLE has settled. It is not over: other inputs of it may come. */
static PLI_INT32 on_settled(p_cb_data d) {
    (void)d;
    sample();
    if (!next_run()) return 0;
    stage = BEFORE_INPUTS;
    proceed();
    return 0;
}

/* The RTL ended the simulation, or the host did. */
static PLI_INT32 on_end(p_cb_data d) {
    (void)d;
    if (!host) return 0;
    if (quitting) {
        fflush(stdout); /* of final blocks; the buffer is unloaded with this module */
        return 0;
    }
    if (stage == AFTER_INPUTS) sample(); /* it ended before the instant came */
    answer(COSIM_ENDED);
    return 0;
}

/* Writes what a port is: bits, signed bits, an array with its size, or something else. */
static void list_type(FILE *f, vpiHandle h) {
    switch (h ? vpi_get(vpiType, h) : vpiNet) {
    case vpiNetArray:
    case vpiRegArray:
    case vpiMemory: fprintf(f, "array:%d ", vpi_get(vpiSize, h)); break;
    case vpiRealVar: fprintf(f, "real "); break;
    case vpiStringVar: fprintf(f, "string "); break;
    default: fprintf(f, h && vpi_get(vpiSigned, h) ? "signed " : "bits "); break;
    }
}

static void list_ports(vpiHandle top, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) fail("cannot write ", path);
    char *module = strdup(vpi_get_str(vpiName, top));
    if (!module) fail("out of memory", "");
    vpiHandle it = vpi_iterate(vpiPort, top), p;
    while (it && (p = vpi_scan(it))) {
        int dir = vpi_get(vpiDirection, p);
        fprintf(f, "%s %d ", dir == vpiInput ? "input" : dir == vpiOutput ? "output" : "inout", vpi_get(vpiSize, p));
        const char *name = vpi_get_str(vpiName, p);
        /* Only an escaped name has a dot. vvp would look for a scope and crash; the host refuses
         * the name. */
        if (strcmp(name, module) == 0) {
            fprintf(f, "module %s\n", name); /* By its name, the module would be found. */
            continue;
        }
        list_type(f, strchr(name, '.') ? NULL : vpi_handle_by_name((PLI_BYTE8 *)name, top));
        fprintf(f, "%s\n", name);
    }
    free(module);
    if (fclose(f) != 0) fail("cannot write ", path);
}

static void attach(const char *top, int fd) {
    struct stat st;
    if (fstat(fd, &st) != 0) fail("no shared memory: ", strerror(errno));
    uint8_t *base = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) fail("no shared memory: ", strerror(errno));
    close(fd);
    if (((cosim_header *)base)->magic != COSIM_MAGIC) {
        fprintf(stderr, "cosim: the shared memory is not this module's\n");
        _exit(3);
    }
    host = (cosim_header *)base;
    if (host->timed) since = clock_ns();
    in_rows = base + host->in_at;
    out_rows = base + host->out_at;
    unknown_rows = base + host->unknown_at;
    arena = base + host->arena_at;
    const cosim_port *table = (const cosim_port *)(base + host->table_at);
    inputs = calloc(host->ports, sizeof *inputs);
    outputs = calloc(host->ports, sizeof *outputs);
    clocks = calloc(host->ports, sizeof *clocks);
    clock_states = calloc(host->ports, sizeof *clock_states);
    last_in = calloc(1, host->in_size + 8);
    if (!inputs || !outputs || !clocks || !clock_states || !last_in) fail("out of memory", "");
    uint64_t tick = 1; /* fs */
    for (int p = vpi_get(vpiTimePrecision, NULL); p > -15; p--) tick *= 10;
    for (uint32_t i = 0; i < host->ports; i++) {
        const cosim_port *t = &table[i];
        port p = {.width = t->width, .offset = t->offset, .size = t->size, .is_signed = t->is_signed};
        if (t->name[0]) {
            p.handle = vpi_handle_by_name((PLI_BYTE8 *)t->name, NULL);
            if (!p.handle) fail("no such port: ", t->name);
        }
        values_room(p.width);
        switch (t->kind) {
        case COSIM_INPUT: inputs[n_inputs++] = p; break;
        case COSIM_OUTPUT: outputs[n_outputs++] = p; break;
        default:
            cosim_clock_init(&clock_states[n_clocks], t->period, t->phase, tick);
            clocks[n_clocks++] = p;
            break;
        }
    }
    internals_find(top, (const char *)arena, host->internals);
    wave_on = vpi_handle_by_name("cosim_wave.on", NULL);
    wave_off = vpi_handle_by_name("cosim_wave.off", NULL);
    next = cosim_next_row(clock_states, (int)n_clocks, 0);
}

/* At time 0, after inputs that nothing drives have become Z: values written before are lost. */
static PLI_INT32 on_settle(p_cb_data d) {
    (void)d;
    for (uint32_t i = 0; i < n_clocks; i++)
        if (clocks[i].handle) put_bit(clocks[i].handle, 0);
    for (uint32_t i = 0; i < n_inputs; i++) put_port(&inputs[i], last_in + inputs[i].offset);
    go(next.inputs);
    return 0;
}

static PLI_INT32 on_start(p_cb_data d) {
    (void)d;
    at(cbReadWriteSynch, 0, on_settle);
    return 0;
}

/* The value of a +name=value argument, or NULL. */
static const char *argument(const char *name) {
    s_vpi_vlog_info info;
    vpi_get_vlog_info(&info);
    const size_t n = strlen(name);
    for (int i = 0; i < info.argc; i++)
        if (strncmp(info.argv[i], name, n) == 0 && info.argv[i][n] == '=') return info.argv[i] + n + 1;
    return NULL;
}

static PLI_INT32 on_compiled(p_cb_data d) {
    (void)d;
    const char *name = argument("+cosim-top"), *fd = argument("+cosim-fd"), *ports = argument("+cosim-ports"), *signals = argument("+cosim-signals");
    if (!name || (!fd && !ports)) fail("+cosim-top= and +cosim-ports= or +cosim-fd= were not given", "");
    vpiHandle top = vpi_handle_by_name((PLI_BYTE8 *)name, NULL);
    if (!top) fail("there is no top module ", name);
    if (fd) {
        attach(name, atoi(fd));
        s_cb_data end = {.reason = cbEndOfSimulation, .cb_rtn = on_end};
        vpi_register_cb(&end);
        s_cb_data start = {.reason = cbStartOfSimulation, .cb_rtn = on_start};
        vpi_register_cb(&start);
        return 0;
    }
    list_ports(top, ports);
    if (signals) internals_list(top, signals);
    fflush(NULL);
    _exit(calls_wrong ? 4 : 0);
}

static void enter(void) {
    trouble_prepare();
    calls_register();
    internals_register();
    s_cb_data d = {.reason = cbEndOfCompile, .cb_rtn = on_compiled};
    vpi_register_cb(&d);
}

void (*vlog_startup_routines[])(void) = {enter, NULL};
