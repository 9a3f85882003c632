/* Memories, of which each lane has its own words.

   A large memory lies in words. One of more than 64 bits is in several parts. The same part of the
   same word of all lanes lies together, in the order that transpose leaves.

   A small memory lies in planes, as registers do: each word has a plane for each of its bits, and
   some more so that these are a multiple of STEP. Lanes that do the same at different times address
   few words in a cycle, and only these are touched. */

#include <stddef.h>

#include "planes.h"

enum { STEP = 8 };

/* The words of a small memory that any lane addresses, and which lanes do. */
typedef struct {
    int n;
    int word[SMALL_WORDS];
    plane lanes[SMALL_WORDS];
} choice;

static void choose(const plane* planes, const int32_t* address, int bits, int size, int64_t offset, choice* c) {
    c->n = 0;
    for (int w = 0; w < size; w++) {
        const uint64_t at = (uint64_t)(w + offset);
        if (bits < 64 && at >> bits != 0) continue;
        plane lanes = all(1);
        for (int i = 0; i < bits; i++) lanes &= planes[address[i]] ^ all(~(at >> i) & 1);
        if (!any(lanes)) continue;
        c->word[c->n] = w;
        c->lanes[c->n++] = lanes;
    }
}

/* Reads a port of a small memory. */
static void read_small(const plane* words, const choice* c, int width, plane* data) {
    const int stride = (width + STEP - 1) / STEP * STEP;
    for (int i = 0; i < width; i += STEP) {
        plane x[STEP];
        for (int k = 0; k < STEP; k++) x[k] = all(0);
        for (int n = 0; n < c->n; n++) {
            const plane lanes = c->lanes[n], *from = words + (size_t)c->word[n] * stride + i;
            for (int k = 0; k < STEP; k++) x[k] |= lanes & from[k];
        }
        for (int k = 0; k < STEP; k++)
            if (i + k < width) data[i + k] = x[k];
    }
}

/* Writes some bits of a port of a small memory, in lanes. */
static void write_small(plane* words, const choice* c, int width, plane lanes, const plane* planes, const int32_t* data, int from, int to) {
    const int stride = (width + STEP - 1) / STEP * STEP;
    for (int n = 0; n < c->n; n++) {
        const plane here = c->lanes[n] & lanes;
        if (!any(here)) continue;
        plane* word = words + (size_t)c->word[n] * stride;
        for (int i = from; i < to; i++) word[i] ^= (word[i] ^ planes[data[i]]) & here;
    }
}

#define READ_SMALL(b, index, address, address_bits, data, width, size, offset)                          \
    do {                                                                                               \
        choice c;                                                                                      \
        choose((b)->planes, address, address_bits, size, offset, &c);                                  \
        read_small((const plane*)(b)->memories[index], &c, width, (b)->planes + (data));               \
    } while (0)

#define WRITE_SMALL(b, index, address, address_bits, data, enable, width, size, offset)                \
    do {                                                                                               \
        choice c;                                                                                      \
        c.n = -1; /* not known yet */                                                                  \
        for (int from = 0, to; from < (width); from = to) {                                            \
            for (to = from + 1; to < (width) && enable[to] == enable[from];) to++;                     \
            const plane lanes = (b)->planes[enable[from]];                                             \
            if (!any(lanes)) continue;                                                                 \
            if (c.n < 0) choose((b)->planes, address, address_bits, size, offset, &c);                 \
            write_small((plane*)(b)->memories[index], &c, width, lanes, (b)->planes, data, from, to);  \
        }                                                                                              \
    } while (0)

/* MEMORY(TYPE) defines what is read and written with elements of a type. */
#define MEMORY(TYPE)                                                                                                    \
    static void read_##TYPE(const TYPE* words, const plane* address, uint64_t size, uint64_t offset, plane* data) {     \
        const uint64_t* a = (const uint64_t*)address;                                                                   \
        uint64_t* d = (uint64_t*)data;                                                                                  \
        for (int e = 0; e < LANES; e++) {                                                                               \
            const uint64_t at = a[e] - offset;                                                                          \
            d[e] = at < size ? words[at * LANES + e] : 0;                                                               \
        }                                                                                                               \
    }                                                                                                                   \
    static void write_##TYPE(TYPE* words, const plane* lanes, const plane* address, uint64_t size, uint64_t offset,     \
                             const plane* data, const plane* enable) {                                                  \
        const uint64_t *a = (const uint64_t*)address, *d = (const uint64_t*)data, *en = (const uint64_t*)enable;        \
        for (int k = 0; k < LANES_WORDS; k++) {                                                                         \
            for (uint64_t left = (*lanes)[k]; left; left &= left - 1) {                                                 \
                const int e = 8 * __builtin_ctzll(left) + k;                                                            \
                const uint64_t at = a[e] - offset;                                                                      \
                if (at >= size) continue;                                                                               \
                TYPE* word = &words[at * LANES + e];                                                                    \
                *word = (TYPE)((*word & ~en[e]) | (d[e] & en[e]));                                                      \
            }                                                                                                           \
        }                                                                                                               \
    }

/* Planes become the words of lanes, of which some bits are used. */
static void gather(const plane* planes, const int32_t* from, int n, plane x[64]) {
    for (int i = 0; i < n; i++) x[i] = planes[from[i]];
    for (int i = n; i < 64; i++) x[i] = all(0);
    transpose(x);
}

/* READ(TYPE) reads a port: planes of an address become planes of data. */
#define READ(TYPE, b, index, address, address_bits, data, width, size, offset)                         \
    do {                                                                                               \
        plane a[64], x[64];                                                                            \
        gather((b)->planes, address, address_bits, a);                                                 \
        for (int part = 0; 64 * part < (width); part++) {                                              \
            read_##TYPE((const TYPE*)(b)->memories[index] + (size_t)part * (size) * LANES, a, size, offset, x); \
            transpose(x);                                                                              \
            const int n = (width) - 64 * part < 64 ? (width) - 64 * part : 64;                         \
            for (int i = 0; i < n; i++) (b)->planes[(data) + 64 * part + i] = x[i];                    \
        }                                                                                              \
    } while (0)

/* WRITE(TYPE) writes a port, in the lanes in which any bit is enabled. */
#define WRITE(TYPE, b, index, address, address_bits, data, enable, width, size, offset)                \
    do {                                                                                               \
        plane lanes = all(0);                                                                          \
        for (int i = 0; i < (width); i++)                                                              \
            if (i == 0 || enable[i] != enable[i - 1]) lanes |= (b)->planes[enable[i]];                 \
        if (!any(lanes)) break;                                                                        \
        plane a[64], d[64], en[64];                                                                    \
        gather((b)->planes, address, address_bits, a);                                                 \
        for (int part = 0; 64 * part < (width); part++) {                                              \
            const int n = (width) - 64 * part < 64 ? (width) - 64 * part : 64;                         \
            gather((b)->planes, data + 64 * part, n, d);                                               \
            gather((b)->planes, enable + 64 * part, n, en);                                            \
            write_##TYPE((TYPE*)(b)->memories[index] + (size_t)part * (size) * LANES, &lanes, a, size, offset, d, en); \
        }                                                                                              \
    } while (0)
