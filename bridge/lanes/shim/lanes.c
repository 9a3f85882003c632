/* Plays cycles on a batch: rows to planes, the model's code, planes to rows. It is compiled once
   for each model and layout, with tables.h, which the bridge generates. */
#include <stddef.h>
#include <string.h>

#include "planes.h"
#include "tables.h"

/* Word w of a row of a size. Behind the end of the row its bits are 0. */
static inline uint64_t load_word(const uint8_t* row, int w, int size) {
    uint64_t v = 0;
    const int left = size - 8 * w;
    if (left >= 8)
        memcpy(&v, row + 8 * w, 8);
    else
        memcpy(&v, row + 8 * w, left);
    return v;
}

/* Writes the bits of a word of a row that are in a mask. */
static inline void store_word(uint8_t* row, int w, int size, uint64_t v, uint64_t mask) {
    const int left = size - 8 * w;
    if (mask != ~(uint64_t)0) v = (v & mask) | (load_word(row, w, size) & ~mask);
    memcpy(row + 8 * w, &v, left >= 8 ? 8 : left);
}

/* Reports whether the signed ports of a row have nothing but copies of their signs above their
   widths. */
static int signs_fit(const uint8_t* row) {
    for (size_t i = 0; i < IN_SIGNED; i++) {
        int64_t v = 0;
        memcpy(&v, row + in_signed[i].offset, in_signed[i].size);
        const int above = 64 - 8 * in_signed[i].size;
        v = (int64_t)((uint64_t)v << above) >> above >> (in_signed[i].width - 1);
        if (v != 0 && v != -1) return 0;
    }
    return 1;
}

/* Gives all lanes the same row. */
static int apply_shared(lanes_batch* b, const uint8_t* row) {
    for (int w = 0; w < IN_WORDS; w++)
        if (load_word(row, w, IN_SIZE) & in_zero[w]) return 0;
    if (!signs_fit(row)) return 0;
    for (int w = 0; w < IN_WORDS; w++) {
        const uint64_t v = load_word(row, w, IN_SIZE);
        uint64_t changed = b->last_valid ? v ^ load_word(b->last, w, IN_SIZE) : ~(uint64_t)0;
        for (; changed; changed &= changed - 1) {
            const int bit = __builtin_ctzll(changed), to = in_plane[64 * w + bit];
            if (to >= 0) b->planes[to] = all(v >> bit & 1);
        }
    }
    memcpy(b->last, row, IN_SIZE);
    b->last_valid = 1;
    return 1;
}

/* Up to 64 bytes of a row, from byte at on: eight words. Behind the end of the row they are 0. */
static inline plane load_block(const uint8_t* row, int at, int size) {
#ifdef __AVX512BW__
    return load_bytes(row + at, size - at);
#else
    plane v = all(0);
    for (int k = 0; k < 8 && at + 8 * k < size; k++) v[k] = load_word(row, at / 8 + k, size);
    return v;
#endif
}

/* Writes the bits of such a block that are in a mask. */
static inline void store_block(uint8_t* row, int at, int size, plane v, plane mask) {
    if (any(~mask)) v = (v & mask) | (load_block(row, at, size) & ~mask);
#ifdef __AVX512BW__
    store_bytes(row + at, size - at, v);
#else
    for (int k = 0; k < 8 && at + 8 * k < size; k++) store_word(row, at / 8 + k, size, v[k], ~(uint64_t)0);
#endif
}

/* Gives each lane words w to w + words - 1 of its row, and returns the bits that must be 0. Here
   words is a constant once this is inlined. */
static inline __attribute__((always_inline)) plane apply_words(lanes_batch* b, const uint8_t* rows, int w, int words) {
    plane x[8][64], beyond = all(0);
    const plane zero = load_block((const uint8_t*)in_zero, 8 * w, 8 * IN_WORDS);
    for (int i = 0; i < 64; i++) {
        plane word[8];
        for (int k = 0; k < 8; k++) {
            word[k] = load_block(rows + (size_t)(64 * k + i) * IN_SIZE, 8 * w, IN_SIZE);
            beyond |= word[k];
        }
        transpose_words(word);
        for (int k = 0; k < words; k++) x[k][i] = word[k];
    }
    for (int k = 0; k < words; k++) {
        transpose(x[k]);
        for (int i = 0; i < 64; i++) {
            const int to = in_plane[64 * (w + k) + i];
            if (to >= 0) b->planes[to] = x[k][i];
        }
    }
    return beyond & zero;
}

/* Gives each lane its row. */
static int apply_each(lanes_batch* b, const uint8_t* rows) {
    int w = 0;
    for (; w + 8 <= IN_WORDS; w += 8)
        if (any(apply_words(b, rows, w, 8))) return 0;
    if (IN_WORDS % 8 && any(apply_words(b, rows, w, IN_WORDS % 8))) return 0;
    b->last_valid = 0;
    if (IN_SIGNED)
        for (int lane = 0; lane < LANES; lane++)
            if (!signs_fit(rows + (size_t)lane * IN_SIZE)) return 0;
    return 1;
}

/* Writes words w to w + words - 1 of the outputs of each lane to its row. */
static inline __attribute__((always_inline)) void sample_words(const lanes_batch* b, uint8_t* rows, int w, int words) {
    plane x[8][64];
    const plane mask = load_block((const uint8_t*)out_mask, 8 * w, 8 * OUT_WORDS);
    if (!any(mask)) return;
    for (int k = 0; k < words; k++) {
        for (int i = 0; i < 64; i++) {
            const int from = out_plane[64 * (w + k) + i];
            x[k][i] = from >= 0 ? b->planes[from] : all(0);
        }
        transpose(x[k]);
    }
    for (int i = 0; i < 64; i++) {
        plane word[8];
        for (int k = 0; k < 8; k++) word[k] = k < words ? x[k][i] : all(0);
        transpose_words(word);
        for (int k = 0; k < 8; k++) store_block(rows + (size_t)(64 * k + i) * OUT_SIZE, 8 * w, OUT_SIZE, word[k], mask);
    }
}

/* Writes the outputs of each lane to its row. */
static void sample_each(const lanes_batch* b, uint8_t* rows) {
    int w = 0;
    for (; w + 8 <= OUT_WORDS; w += 8) sample_words(b, rows, w, 8);
    if (OUT_WORDS % 8) sample_words(b, rows, w, OUT_WORDS % 8);
}

/* Notes the lanes whose outputs differ from a row. */
static void compare(lanes_batch* b, const uint8_t* want, const uint8_t* care) {
    plane differ = all(0);
    for (int w = 0; w < OUT_WORDS; w++) {
        const uint64_t v = load_word(want, w, OUT_SIZE);
        uint64_t bits = out_mask[w];
        if (care) bits &= load_word(care, w, OUT_SIZE);
        for (; bits; bits &= bits - 1) {
            const int bit = __builtin_ctzll(bits), from = out_plane[64 * w + bit];
            differ |= (from >= 0 ? b->planes[from] : all(0)) ^ all(v >> bit & 1);
        }
    }
    const plane fresh = differ & ~*b->differs;
    if (!any(fresh)) return;
    *b->differs |= differ;
    for (int k = 0; k < LANES_WORDS; k++)
        for (uint64_t f = fresh[k]; f; f &= f - 1) b->since[64 * k + __builtin_ctzll(f)] = b->cycle;
}

/* Notes the assertions that fail. */
static void assertions(lanes_batch* b) {
    for (int i = 0; i < CHECKS; i++) {
        const plane fails = b->planes[checks[i].enable] & ~b->planes[checks[i].holds];
        if (!any(fails)) continue;
        if (!any(b->failed[i])) b->failure[i] = b->cycle;
        b->failed[i] |= fails;
    }
}

/* Notes the points that are reached, and looks for them no more. */
static void reach(lanes_batch* b) {
    for (int i = 0; i < b->waitings;) {
        const int at = b->waiting[i];
        const plane reached = b->planes[points[at].enable] & ~b->planes[points[at].holds];
        if (!any(reached)) {
            i++;
            continue;
        }
        b->reached[at] = reached;
        b->reach[at] = b->cycle;
        b->waiting[i] = b->waiting[--b->waitings];
    }
}

static int64_t run(lanes_batch* b, const lanes_run* r, int32_t* why) {
    const uint8_t *in = r->in, *want = r->want, *care = r->care;
    uint8_t* out = r->out;
    *why = LANES_DONE;
    for (int64_t n = 0; n < r->cycles; n++) {
        if (in && !(r->in_each ? apply_each(b, in) : apply_shared(b, in))) {
            b->last_valid = 0;
            *why = LANES_MISFIT;
            return n;
        }
        for (int c = 0; c < RISES; c++) b->planes[FIRST_RISE + c] = all(r->rises[n] >> c);
        evaluate(b);
        if (in) in += r->in_each ? (size_t)LANES * IN_SIZE : IN_SIZE;
        if (out) {
            sample_each(b, out);
            out += (size_t)LANES * OUT_SIZE;
        }
        if (want) {
            compare(b, want, care);
            want += OUT_SIZE;
            if (care) care += OUT_SIZE;
        }
        if (CHECKS) assertions(b);
        if (POINTS) reach(b);
        b->cycle++;
        if (r->until >= 0 && any(b->planes[r->until])) {
            *why = LANES_CAME;
            return n + 1;
        }
    }
    return r->cycles;
}

static int32_t set(lanes_batch* b, const uint8_t* row, int32_t lane) {
    for (int w = 0; w < IN_WORDS; w++)
        if (load_word(row, w, IN_SIZE) & in_zero[w]) return 0;
    if (!signs_fit(row)) return 0;
    const uint64_t in_lane = (uint64_t)1 << lane % 64;
    for (int w = 0; w < IN_WORDS; w++) {
        const uint64_t v = load_word(row, w, IN_SIZE);
        for (int i = 0; i < 64; i++) {
            if (in_plane[64 * w + i] < 0) continue;
            uint64_t* word = (uint64_t*)&b->planes[in_plane[64 * w + i]] + lane / 64;
            *word = v >> i & 1 ? *word | in_lane : *word & ~in_lane;
        }
    }
    b->last_valid = 0;
    return 1;
}

static void get(lanes_batch* b, uint8_t* row, int32_t lane) {
    for (int w = 0; w < OUT_WORDS; w++) {
        uint64_t v = 0;
        for (int i = 0; i < 64; i++)
            if (out_plane[64 * w + i] >= 0) v |= (((uint64_t*)&b->planes[out_plane[64 * w + i]])[lane / 64] >> lane % 64 & 1) << i;
        store_word(row, w, OUT_SIZE, v, out_mask[w]);
    }
}

__attribute__((visibility("default"))) const lanes_api_t lanes_api = {run, set, get};
