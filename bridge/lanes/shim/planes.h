/* Operations on planes. */
#ifndef PLANES_H
#define PLANES_H

#include "lanes.h"

static inline int any(plane p) {
    return (p[0] | p[1] | p[2] | p[3] | p[4] | p[5] | p[6] | p[7]) != 0;
}

static inline plane all(int bit) {
    const uint64_t w = -(uint64_t)(bit & 1);
    return (plane){w, w, w, w, w, w, w, w};
}

/* Transposes eight matrices of 64 by 64 bits at once: word w of plane i has row i of the matrix w.
   So planes become words: bit j of word w of x[i] is lane 64 * w + i of plane j. It is its own
   inverse. */
static void transpose(plane x[64]) {
    uint64_t m = 0x00000000ffffffffu;
    for (int j = 32; j != 0; j >>= 1, m ^= m << j) {
        for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            const plane t = ((x[k] >> j) ^ x[k | j]) & m;
            x[k | j] ^= t;
            x[k] ^= t << j;
        }
    }
}

#endif
