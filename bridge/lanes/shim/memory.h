/* Memories, of which each lane has its own words. A word of more than 64 bits is in several parts.
   The same part of the same word of all lanes lies together, in the order that transpose leaves. */

#include <stddef.h>

#include "planes.h"

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
