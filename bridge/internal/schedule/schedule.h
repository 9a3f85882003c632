/* When clocks rise and fall: shared by the Verilator shim and the VPI module.
 *
 * A row of a tape is an instant in which one or more clocks rise. These events come before the
 * instant, in this order and each at its own time:
 *   - some clocks fall,
 *   - the row's inputs are applied: one low phase before the instant, or half the time since the
 *     previous instant if that is less,
 *   - other clocks fall.
 * At the instant the outputs are sampled, and then the clocks rise. Times are in ticks of the
 * simulation.
 */
#ifndef COSIM_SCHEDULE_H
#define COSIM_SCHEDULE_H

#include <stdint.h>

#define COSIM_NEVER UINT64_MAX

typedef struct {
    uint64_t low, high;  /* lengths of the phases */
    uint64_t rise, fall; /* the next of each; fall is COSIM_NEVER while the clock is low */
} cosim_clock_state;

typedef struct {
    uint64_t instant; /* of the row */
    uint64_t inputs;  /* when its inputs are applied */
} cosim_row_times;

/* Sets a clock to its state at time 0. It first rises after a period, a low phase and its phase:
 * at time 0 the design only settles. Period, phase and tick are given in fs. A tick is a ps or
 * less, for designs have 1ns/1ps by default. The low phase is rounded exactly as in bridge.Clock,
 * because with several clocks it decides which rises first. All edges are at even ps, so that
 * inputs can be applied between any two of them. */
static inline void cosim_clock_init(cosim_clock_state* c, uint64_t period, uint64_t phase, uint64_t tick) {
    const uint64_t ps = 1000, ns = 1000 * ps;
    const uint64_t unit = period >= 2 * ns && period % ns == 0 ? ns : 2 * ps;
    c->low = period / 2 / unit * unit / tick;
    c->high = period / tick - c->low;
    c->rise = period / tick + c->low + phase / tick;
    c->fall = COSIM_NEVER;
}

/* The times of the row that follows an instant (0 for the first). */
static inline cosim_row_times cosim_next_row(const cosim_clock_state* c, int n, uint64_t previous) {
    cosim_row_times t = {c[0].rise, 0};
    for (int i = 1; i < n; i++)
        if (c[i].rise < t.instant) t.instant = c[i].rise;
    uint64_t lead = (t.instant - previous) / 2;
    for (int i = 0; i < n; i++)
        if (c[i].rise == t.instant && c[i].low < lead) lead = c[i].low;
    t.inputs = t.instant - lead;
    return t;
}

static inline uint64_t cosim_next_fall(const cosim_clock_state* c, int n) {
    uint64_t f = c[0].fall;
    for (int i = 1; i < n; i++)
        if (c[i].fall < f) f = c[i].fall;
    return f;
}

/* Clock i falls, or rises, at its time. */
static inline void cosim_falls(cosim_clock_state* c) { c->fall = COSIM_NEVER; }
static inline void cosim_rises(cosim_clock_state* c) {
    c->fall = c->rise + c->high;
    c->rise += c->low + c->high;
}

#endif
