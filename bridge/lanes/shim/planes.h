/* Operations on planes. */
#ifndef PLANES_H
#define PLANES_H

#include "lanes.h"

/* Instructions that C has no operator for are written as such. To read <immintrin.h> takes longer
   than to compile the code around most models. */

static inline int any(plane p) {
#ifdef __AVX512F__
    uint16_t words;
    __asm__("vptestmq %1, %1, %0" : "=k"(words) : "v"(p));
    return words != 0;
#else
    return (p[0] | p[1] | p[2] | p[3] | p[4] | p[5] | p[6] | p[7]) != 0;
#endif
}

#ifdef __AVX512BW__
/* The first n of 64 bytes; n is more than 0. */
static inline uint64_t bytes_within(int n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

typedef uint8_t bytes[64];

/* Loads the first n bytes; the others are 0. Only these are read. */
static inline plane load_bytes(const uint8_t* from, int n) {
    plane p;
    __asm__("vmovdqu8 %2, %0 %{%1%}%{z%}" : "=v"(p) : "Yk"(bytes_within(n)), "m"(*(const bytes*)from));
    return p;
}

/* Stores the first n bytes. Only these are written. */
static inline void store_bytes(uint8_t* to, int n, plane p) {
    __asm__("vmovdqu8 %1, %0 %{%2%}" : "+m"(*(bytes*)to) : "v"(p), "Yk"(bytes_within(n)));
}
#endif

static inline plane all(int bit) {
    const uint64_t w = -(uint64_t)(bit & 1);
    return (plane){w, w, w, w, w, w, w, w};
}

/* Transposes a matrix of eight by eight words: word i of plane j becomes word j of plane i. */
static inline void transpose_words(plane x[8]) {
#define EXCHANGE(a, b, lower, upper)                           \
    do {                                                       \
        const plane l = __builtin_shufflevector(a, b, lower);  \
        b = __builtin_shufflevector(a, b, upper);              \
        a = l;                                                 \
    } while (0)
#define LOWER1 0, 8, 2, 10, 4, 12, 6, 14
#define UPPER1 1, 9, 3, 11, 5, 13, 7, 15
#define LOWER2 0, 1, 8, 9, 4, 5, 12, 13
#define UPPER2 2, 3, 10, 11, 6, 7, 14, 15
#define LOWER4 0, 1, 2, 3, 8, 9, 10, 11
#define UPPER4 4, 5, 6, 7, 12, 13, 14, 15
    for (int i = 0; i < 8; i += 2) EXCHANGE(x[i], x[i + 1], LOWER1, UPPER1);
    for (int i = 0; i < 8; i += i % 4 ? 3 : 1) EXCHANGE(x[i], x[i + 2], LOWER2, UPPER2);
    for (int i = 0; i < 4; i++) EXCHANGE(x[i], x[i + 4], LOWER4, UPPER4);
}

/* Transposes eight matrices of 64 by 64 bits at once: word w of plane i has row i of the matrix w.
   So planes become words: bit j of word w of x[i] is lane 64 * w + i of plane j. It is its own
   inverse. */
#ifdef __AVX512F__
#define SWAP(a, b, j, m)                                     \
    do {                                                     \
        const uint64_t low = m;                              \
        const plane lower = (a & low) | ((b << (j)) & ~low); \
        b = ((a >> (j)) & low) | (b & ~low);                 \
        a = lower;                                           \
    } while (0)

/* Three of the six steps, on eight planes that stay in registers. */
#define SWAP8(x, at, step, j, m4, m2, m1)                              \
    do {                                                               \
        plane a[8];                                                    \
        for (int i = 0; i < 8; i++) a[i] = x[(at) + i * (step)];       \
        for (int i = 0; i < 4; i++) SWAP(a[i], a[i + 4], 4 * (j), m4); \
        for (int i = 0; i < 8; i += 4) {                               \
            SWAP(a[i], a[i + 2], 2 * (j), m2);                         \
            SWAP(a[i + 1], a[i + 3], 2 * (j), m2);                     \
        }                                                              \
        for (int i = 0; i < 8; i += 2) SWAP(a[i], a[i + 1], j, m1);    \
        for (int i = 0; i < 8; i++) x[(at) + i * (step)] = a[i];       \
    } while (0)

static void transpose(plane x[64]) {
    for (int k = 0; k < 8; k++) SWAP8(x, k, 8, 8, 0x00000000ffffffffu, 0x0000ffff0000ffffu, 0x00ff00ff00ff00ffu);
    for (int k = 0; k < 64; k += 8) SWAP8(x, k, 1, 1, 0x0f0f0f0f0f0f0f0fu, 0x3333333333333333u, 0x5555555555555555u);
}
#else
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

#endif
