/* Copies values of signals between vvp and memory.
 *
 * vvp copies most formats bit by bit, with a virtual call for each. The formats used here are its
 * fastest. */
#include <stdlib.h>
#include <string.h>

#include "cosim.h"

static s_vpi_vecval *vector; /* room for the widest signal */
static uint32_t vector_words;

static s_vpi_vecval *room(uint32_t width) {
    const uint32_t words = (width + 31) / 32;
    if (words > vector_words) {
        vector = realloc(vector, words * sizeof *vector);
        if (!vector) fail("out of memory", "");
        vector_words = words;
    }
    return vector;
}

void values_room(uint32_t width) { room(width); }

void put_bit(vpiHandle h, int level) {
    s_vpi_value v = {.format = vpiScalarVal};
    v.value.scalar = level ? vpi1 : vpi0;
    vpi_put_value(h, &v, NULL, vpiNoDelay);
}

/* Writes a string with the bytes of a value, most significant first. Returns 0 if that is
 * impossible because a byte within it is 0. */
static int as_string(uint64_t bits, char *text) {
    int n = 8 - (bits ? __builtin_clzll(bits) / 8 : 7);
    for (int i = 0; i < n; i++) {
        text[i] = (char)(bits >> 8 * (n - 1 - i));
        if (!text[i] && bits) return 0;
    }
    text[n] = 0;
    return 1;
}

static void put_vector(vpiHandle h, uint32_t width, const uint8_t *bytes, uint32_t size) {
    s_vpi_vecval *w = room(width);
    for (uint32_t i = 0; i < (width + 31) / 32; i++) {
        uint32_t word = 0;
        memcpy(&word, bytes + 4 * i, size - 4 * i < 4 ? size - 4 * i : 4); /* little endian */
        w[i].aval = (PLI_INT32)word;
        w[i].bval = 0;
    }
    s_vpi_value v = {.format = vpiVectorVal};
    v.value.vector = w;
    vpi_put_value(h, &v, NULL, vpiNoDelay);
}

void put_port(const port *p, const uint8_t *bytes) {
    if (p->width == 1) {
        put_bit(p->handle, bytes[0] & 1);
        return;
    }
    if (p->width > 64) {
        put_vector(p->handle, p->width, bytes, p->size);
        return;
    }
    uint64_t bits = 0;
    memcpy(&bits, bytes, p->size);
    if (p->width < 64) bits &= ((uint64_t)1 << p->width) - 1;
    s_vpi_value v;
    char text[9];
    if (bits >> 53 == 0) {
        /* vvp converts a whole real number in one piece. */
        v.format = vpiRealVal;
        v.value.real = (double)bits;
    } else if (as_string(bits, text)) {
        v.format = vpiStringVal;
        v.value.str = text;
    } else {
        put_vector(p->handle, p->width, bytes, p->size);
        return;
    }
    vpi_put_value(p->handle, &v, NULL, vpiNoDelay);
}

/* Converts eight digits of a binary number, most significant first, to its bits and to a mask of
 * those that are unknown. A digit is 0, 1, x or z. Its bit is bit 0 of the character, or bit 1 for
 * z. Bit 6 is set for x and z only. The multiplication gathers the lowest bits of eight bytes. */
static inline void eight_digits(const char *text, uint64_t *value, uint64_t *unknown) {
    const uint64_t ones = 0x0101010101010101u, gather = 0x8040201008040201u;
    uint64_t c;
    memcpy(&c, text, 8);
    *value = ((c | c >> 1) & ones) * gather >> 56;
    *unknown = (c >> 6 & ones) * gather >> 56;
}

static void from_digits(const char *text, uint32_t digits, uint64_t *value, uint64_t *unknown) {
    uint64_t a = 0, b = 0, va, vb;
    for (; digits % 8; digits--, text++) {
        const char c = *text;
        a = a << 1 | ((c | c >> 1) & 1);
        b = b << 1 | (c >> 6 & 1);
    }
    for (; digits; digits -= 8, text += 8) {
        eight_digits(text, &va, &vb);
        a = a << 8 | va;
        b = b << 8 | vb;
    }
    *value = a;
    *unknown = b;
}

void get_bits(vpiHandle h, uint32_t width, uint64_t *value, uint64_t *unknown) {
    s_vpi_value v = {.format = vpiBinStrVal};
    vpi_get_value(h, &v);
    const char *end = v.value.str + width;
    for (uint32_t i = 0; i < width; i += 64) {
        const uint32_t digits = width - i < 64 ? width - i : 64;
        from_digits(end - i - digits, digits, &value[i / 64], &unknown[i / 64]);
    }
}

static inline uint64_t extend(uint64_t bits, const port *p) {
    if (!p->is_signed || p->width >= 64 || !(bits >> (p->width - 1) & 1)) return bits;
    return bits | ~(uint64_t)0 << p->width;
}

void get_port(const port *p, uint8_t *value, uint8_t *unknown) {
    s_vpi_value v = {.format = vpiScalarVal};
    uint64_t a, b;
    if (p->width <= 64) {
        if (p->width == 1) {
            vpi_get_value(p->handle, &v);
            a = v.value.scalar == vpi1 || v.value.scalar == vpiZ;
            b = v.value.scalar != vpi0 && v.value.scalar != vpi1;
        } else {
            get_bits(p->handle, p->width, &a, &b);
        }
        a = extend(a, p);
        b = extend(b, p);
        memcpy(value, &a, p->size);
        memcpy(unknown, &b, p->size);
        return;
    }
    v.format = vpiBinStrVal;
    vpi_get_value(p->handle, &v);
    const char *end = v.value.str + p->width;
    for (uint32_t at = 0; at < p->size; at += 8) {
        a = b = 0;
        if (8 * at < p->width) {
            const uint32_t digits = p->width - 8 * at < 64 ? p->width - 8 * at : 64;
            from_digits(end - 8 * at - digits, digits, &a, &b);
        }
        const uint32_t n = p->size - at < 8 ? p->size - at : 8;
        memcpy(value + at, &a, n);
        memcpy(unknown + at, &b, n);
    }
}

void put_bits(vpiHandle h, uint32_t width, const uint64_t *value, const uint64_t *unknown, int flag) {
    s_vpi_vecval *w = room(width);
    for (uint32_t i = 0; i < (width + 31) / 32; i++) {
        const uint32_t a = (uint32_t)(value[i / 2] >> i % 2 * 32), b = (uint32_t)(unknown[i / 2] >> i % 2 * 32);
        /* VPI: 0 = 00, 1 = 10, Z = 01, X = 11 (aval bval). */
        w[i].aval = (PLI_INT32)(a ^ b);
        w[i].bval = (PLI_INT32)b;
    }
    s_vpi_value v = {.format = vpiVectorVal};
    v.value.vector = w;
    vpi_put_value(h, &v, NULL, flag);
}
