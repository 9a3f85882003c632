/* The VPI module: plays the host's tapes in vvp, a row per clock cycle.
 *
 * With +cosim-ports=FILE it writes the top module's ports to FILE and ends.
 * Otherwise +cosim-fd=N names the descriptor of the memory shared with the host.
 *
 * What comes when is in schedule.h. For a single clock a row takes three callbacks, each
 * scheduled by time, because values written from value-change callbacks would race with the
 * design:
 *     inputs:  clock 0, the row's inputs     (then the design settles)
 *     sample:  outputs to the row            (read-only region of the same time)
 *     instant: clock 1
 * The host is answered at the next event after the instant, when everything that the rising
 * edge set off is over.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <vpi_user.h>

#include "schedule.h"
#include "shared.h"

typedef struct {
    vpiHandle handle;
    uint32_t width, words; /* words of 32 bits */
    uint32_t offset, size;
    uint32_t is_signed;
} port;

static cosim_header *host;
static uint8_t *in_rows, *out_rows, *unknown_rows;
static port *inputs, *outputs, *clocks;
static cosim_clock_state *clock_states;
static uint32_t n_inputs, n_outputs, n_clocks;
static s_vpi_vecval *vector; /* room for the widest input */
static uint8_t *last_in;     /* the inputs as they are driven now */
static int64_t row, rows;    /* being played; of this run */
static uint32_t handled;     /* the last request */
static int running;          /* one was seen */

/* Where in a row the simulation is. */
static enum { BETWEEN_ROWS, BEFORE_INPUTS, AFTER_INPUTS, AT_INSTANT } stage;
static uint64_t now, instant; /* ticks; the last row's instant */
static uint64_t target;       /* the time of the callback that was asked for */
static cosim_row_times next;  /* of the row being played, or to be played next */

static PLI_INT32 on_time(p_cb_data d);
static PLI_INT32 on_sample(p_cb_data d);
static PLI_INT32 on_settled(p_cb_data d);

static void at(PLI_INT32 reason, PLI_UINT64 delay, PLI_INT32 (*f)(p_cb_data)) {
    s_vpi_time t = {.type = vpiSimTime, .high = (PLI_UINT32)(delay >> 32), .low = (PLI_UINT32)delay};
    s_cb_data d = {.reason = reason, .cb_rtn = f, .time = &t};
    vpiHandle h = vpi_register_cb(&d);
    if (h) vpi_free_object(h);
}

static void futex_wake(uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

static void answer(uint32_t why) {
    fflush(stdout); /* the host may look at the messages now */
    host->why = why;
    __atomic_add_fetch(&host->reply, 1, __ATOMIC_SEQ_CST);
    futex_wake(&host->reply);
}

static void fail(const char *what, const char *name) {
    if (host) {
        snprintf(host->message, sizeof host->message, "%s%s", what, name);
        host->failed = 1;
        answer(COSIM_ENDED);
    } else {
        fprintf(stderr, "cosim: %s%s\n", what, name);
    }
    fflush(NULL);
    _exit(3);
}

/* Waits for the next request. The parent's death is noticed by the kernel
 * (PDEATHSIG); looking for it here as well costs nothing. */
static void wait_request(void) {
    static pid_t parent;
    if (!parent) parent = getppid();
    for (uint32_t i = 0; i < host->spin; i++) {
        if (__atomic_load_n(&host->request, __ATOMIC_ACQUIRE) != handled) return;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    while (__atomic_load_n(&host->request, __ATOMIC_ACQUIRE) == handled) {
        struct timespec second = {.tv_sec = 1};
        syscall(SYS_futex, &host->request, FUTEX_WAIT, handled, &second, NULL, 0);
        if (getppid() != parent) _exit(0);
    }
}

static void put_bit(vpiHandle h, int level) {
    s_vpi_value v = {.format = vpiScalarVal};
    v.value.scalar = level ? vpi1 : vpi0;
    vpi_put_value(h, &v, NULL, vpiNoDelay);
}

static void put(const port *p, const uint8_t *bytes) {
    for (uint32_t i = 0; i < p->words; i++) {
        uint32_t word = 0;
        memcpy(&word, bytes + 4 * i, p->size - 4 * i < 4 ? p->size - 4 * i : 4); /* little endian */
        vector[i].aval = (PLI_INT32)word;
        vector[i].bval = 0;
    }
    s_vpi_value v = {.format = vpiVectorVal};
    v.value.vector = vector;
    vpi_put_value(p->handle, &v, NULL, vpiNoDelay);
}

static uint64_t extend(uint64_t bits, const port *p) {
    if (p->width >= 64) return bits;
    const uint64_t mask = ((uint64_t)1 << p->width) - 1, sign = (uint64_t)1 << (p->width - 1);
    bits &= mask;
    return p->is_signed && bits & sign ? bits | ~mask : bits;
}

/* VPI: 0 = 00, 1 = 10, Z = 01, X = 11 (aval bval). In a row: X has value 0, Z has 1. */
static void get(const port *p, uint8_t *value, uint8_t *unknown) {
    s_vpi_value v = {.format = vpiVectorVal};
    vpi_get_value(p->handle, &v);
    const s_vpi_vecval *w = v.value.vector;
    if (p->width <= 64) {
        uint64_t a = (uint32_t)w[0].aval, b = (uint32_t)w[0].bval;
        if (p->words == 2) {
            a |= (uint64_t)(uint32_t)w[1].aval << 32;
            b |= (uint64_t)(uint32_t)w[1].bval << 32;
        }
        a = extend(a ^ b, p);
        b = extend(b, p);
        memcpy(value, &a, p->size);
        memcpy(unknown, &b, p->size);
        return;
    }
    for (uint32_t i = 0; i < p->size / 4; i++) {
        uint32_t a = 0, b = 0;
        if (i < p->words) {
            a = (uint32_t)(w[i].aval ^ w[i].bval);
            b = (uint32_t)w[i].bval;
        }
        if (i == p->words - 1 && p->width % 32) {
            const uint32_t mask = ((uint32_t)1 << p->width % 32) - 1;
            a &= mask;
            b &= mask;
        }
        memcpy(value + 4 * i, &a, 4);
        memcpy(unknown + 4 * i, &b, 4);
    }
}

static void apply(const uint8_t *bytes) {
    for (uint32_t i = 0; i < n_inputs; i++) {
        const port *p = &inputs[i];
        if (memcmp(last_in + p->offset, bytes + p->offset, p->size) != 0) {
            put(p, bytes + p->offset);
            memcpy(last_in + p->offset, bytes + p->offset, p->size);
        }
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

/* The next event of the next row, while its inputs are not yet applied. */
static uint64_t next_before_inputs(void) {
    uint64_t fall = cosim_next_fall(clock_states, (int)n_clocks);
    return fall < next.inputs ? fall : next.inputs;
}

/* Answers a finished command and waits for the next. 0: it is to quit. */
static int next_command(void) {
    if (running) answer(COSIM_RAN);
    wait_request();
    handled = __atomic_load_n(&host->request, __ATOMIC_ACQUIRE);
    if (host->command == COSIM_QUIT) {
        vpi_control(vpiFinish, 0);
        return 0;
    }
    running = 1;
    rows = host->command == COSIM_SETTLE ? 1 : host->rows;
    host->sampled = row = 0;
    return 1;
}

/* Goes on from the present time, at which values may be put. */
static void proceed(void) {
    if (stage == AT_INSTANT) {
        lower_clocks();
        raise_clocks();
        instant = now;
        next = cosim_next_row(clock_states, (int)n_clocks, instant);
        stage = BETWEEN_ROWS;
        go(next_before_inputs());
        return;
    }
    if (stage == BETWEEN_ROWS) {
        if (row == rows && !next_command()) return;
        stage = BEFORE_INPUTS;
    }
    lower_clocks();
    if (stage == BEFORE_INPUTS) {
        uint64_t event = next_before_inputs();
        if (event > now) {
            go(event);
            return;
        }
        apply(in_rows + row * host->in_size);
        stage = AFTER_INPUTS;
    }
    uint64_t fall = cosim_next_fall(clock_states, (int)n_clocks);
    if (fall < next.instant)
        go(fall);
    else if (host->command == COSIM_SETTLE)
        at(cbReadWriteSynch, 0, on_settled);
    else
        at(cbReadOnlySynch, 0, on_sample);
}

static PLI_INT32 on_time(p_cb_data d) {
    (void)d;
    now = target;
    proceed();
    return 0;
}

static void sample(void) {
    for (uint32_t i = 0; i < n_outputs; i++)
        get(&outputs[i], out_rows + row * host->out_size + outputs[i].offset,
            unknown_rows + row * host->out_size + outputs[i].offset);
    row++;
    __atomic_store_n(&host->sampled, row, __ATOMIC_RELEASE);
}

static PLI_INT32 on_sample(p_cb_data d) {
    (void)d;
    sample();
    stage = AT_INSTANT;
    go(next.instant);
    return 0;
}

/* Settle was asked for: the row is not over, its inputs may come again. */
static PLI_INT32 on_settled(p_cb_data d) {
    (void)d;
    sample();
    if (!next_command()) return 0;
    stage = BEFORE_INPUTS;
    proceed();
    return 0;
}

static PLI_INT32 on_end(p_cb_data d) {
    (void)d;
    if (host && (host->command != COSIM_QUIT || !running)) answer(COSIM_ENDED);
    return 0;
}

static vpiHandle top_module(void) {
    /* Icarus lists $unit beside the top. */
    vpiHandle it = vpi_iterate(vpiModule, NULL), m, top = NULL;
    while (it && (m = vpi_scan(it)))
        if (vpi_get_str(vpiName, m)[0] != '$') top = m;
    if (!top) fail("there is no top module", "");
    return top;
}

static void list_ports(const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) fail("cannot write ", path);
    vpiHandle it = vpi_iterate(vpiPort, top_module()), p;
    while (it && (p = vpi_scan(it))) {
        int dir = vpi_get(vpiDirection, p);
        fprintf(f, "%s %d ", dir == vpiInput ? "input" : dir == vpiOutput ? "output" : "inout", vpi_get(vpiSize, p));
        fprintf(f, "%s\n", vpi_get_str(vpiName, p));
    }
    if (fclose(f) != 0) fail("cannot write ", path);
}

static void attach(int fd) {
    struct stat st;
    if (fstat(fd, &st) != 0) fail("no shared memory: ", strerror(errno));
    uint8_t *base = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED) fail("no shared memory: ", strerror(errno));
    close(fd);
    if (((cosim_header *)base)->magic != COSIM_MAGIC) {
        fprintf(stderr, "cosim: the shared memory is not this module's\n");
        _exit(3);
    }
    host = (cosim_header *)base;
    in_rows = base + host->in_at;
    out_rows = base + host->out_at;
    unknown_rows = base + host->unknown_at;
    const cosim_port *table = (const cosim_port *)(base + host->table_at);
    inputs = calloc(host->ports, sizeof *inputs);
    outputs = calloc(host->ports, sizeof *outputs);
    clocks = calloc(host->ports, sizeof *clocks);
    clock_states = calloc(host->ports, sizeof *clock_states);
    uint64_t tick = 1; /* fs */
    for (int p = vpi_get(vpiTimePrecision, NULL); p > -15; p--) tick *= 10;
    last_in = calloc(1, host->in_size + 8);
    uint32_t widest = 1;
    for (uint32_t i = 0; i < host->ports; i++) {
        port p = {.width = table[i].width, .offset = table[i].offset, .size = table[i].size, .is_signed = table[i].is_signed};
        p.words = (p.width + 31) / 32;
        if (p.words > widest) widest = p.words;
        if (table[i].name[0]) {
            p.handle = vpi_handle_by_name((PLI_BYTE8 *)table[i].name, NULL);
            if (!p.handle) fail("no such port: ", table[i].name);
        }
        switch (table[i].kind) {
        case COSIM_INPUT: inputs[n_inputs++] = p; break;
        case COSIM_OUTPUT: outputs[n_outputs++] = p; break;
        default:
            cosim_clock_init(&clock_states[n_clocks], table[i].period, table[i].phase, tick);
            clocks[n_clocks++] = p;
            break;
        }
    }
    vector = calloc(widest, sizeof *vector);
    next = cosim_next_row(clock_states, (int)n_clocks, 0);
}

/* At time 0, when the undriven inputs have become Z: before, that would undo this. */
static PLI_INT32 on_settle(p_cb_data d) {
    (void)d;
    for (uint32_t i = 0; i < n_clocks; i++)
        if (clocks[i].handle) put_bit(clocks[i].handle, 0);
    for (uint32_t i = 0; i < n_inputs; i++) put(&inputs[i], last_in + inputs[i].offset);
    go(next.inputs);
    return 0;
}

static PLI_INT32 on_start(p_cb_data d) {
    (void)d;
    at(cbReadWriteSynch, 0, on_settle);
    return 0;
}

static PLI_INT32 on_compiled(p_cb_data d) {
    (void)d;
    s_vpi_vlog_info info;
    vpi_get_vlog_info(&info);
    for (int i = 0; i < info.argc; i++) {
        if (strncmp(info.argv[i], "+cosim-ports=", 13) == 0) {
            list_ports(info.argv[i] + 13);
            fflush(NULL);
            _exit(0);
        }
        if (strncmp(info.argv[i], "+cosim-fd=", 10) == 0) {
            setvbuf(stdout, NULL, _IOLBF, 0); /* if vvp is killed, what it printed is not lost */
            attach(atoi(info.argv[i] + 10));
            s_cb_data end = {.reason = cbEndOfSimulation, .cb_rtn = on_end};
            vpi_register_cb(&end);
            s_cb_data start = {.reason = cbStartOfSimulation, .cb_rtn = on_start};
            vpi_register_cb(&start);
            return 0;
        }
    }
    fail("neither +cosim-ports= nor +cosim-fd= was given", "");
    return 0;
}

static void enter(void) {
    s_cb_data d = {.reason = cbEndOfCompile, .cb_rtn = on_compiled};
    vpi_register_cb(&d);
}

void (*vlog_startup_routines[])(void) = {enter, NULL};
