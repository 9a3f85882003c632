/* What the code of a model, the code around it and the bridge agree on. */
#ifndef LANES_H
#define LANES_H

#include <stdint.h>

enum { LANES = 512, LANES_WORDS = LANES / 64 };

/* One bit of each lane. */
#ifdef LANES_HOST
typedef struct { uint64_t word[8]; } plane;
#else
typedef uint64_t plane __attribute__((vector_size(64)));
#endif

/* What a run puts in and takes out. Rows have the layout of the model. */
typedef struct {
    int64_t cycles;
    const uint8_t* in;      /* NULL: inputs stay as they are */
    int32_t in_each;        /* in has a row for each lane and cycle, not one for each cycle */
    int32_t until;          /* end after a cycle in which any lane has this plane set; -1: none */
    uint8_t* out;           /* NULL, or a row for each lane and cycle */
    const uint8_t* want;    /* NULL, or a row for each cycle: lanes that differ are noted */
    const uint8_t* care;    /* NULL, or a row for each row of want: the bits that count */
    const uint16_t* rises;  /* the clocks that rise in each cycle; NULL for a single clock */
} lanes_run;

/* Planes of a check: it fails in a lane where enable is 1 and holds is 0. */
typedef struct { int32_t enable, holds; } lanes_check;

/* A batch. The bridge reads and writes its memory between runs. */
typedef struct {
    plane* planes;
    void** memories;
    uint8_t* last;     /* the last row that all lanes were given */
    int32_t last_valid;
    uint64_t cycle;    /* how many cycles were played */
    plane* differs;    /* the lanes that have differed */
    uint64_t* since;   /* of each, the cycle in which it first did */
    plane* failed;     /* of each assertion, the lanes in which it has failed */
    uint64_t* failure; /* of each assertion, the cycle in which it first did */
    int32_t* waiting;  /* points that are looked for, and how many these are */
    int32_t waitings;
    plane* reached;    /* of each point that was reached, the lanes in which it was first */
    uint64_t* reach;   /* and in which cycle */
} lanes_batch;

/* A shared library has one of these, lanes_api. */
typedef struct {
    /* Plays cycles and returns how many. Fewer than asked for: a row has a value that a port cannot
       hold, or what was waited for has come, which *why says. */
    int64_t (*run)(lanes_batch* b, const lanes_run* r, int32_t* why);
    /* Sets the inputs of a lane, or returns 0 if the row has a value that a port cannot hold. */
    int32_t (*set)(lanes_batch* b, const uint8_t* row, int32_t lane);
    /* Copies the outputs of a lane as they were sampled in the last cycle. */
    void (*get)(lanes_batch* b, uint8_t* row, int32_t lane);
} lanes_api_t;

enum { LANES_DONE, LANES_MISFIT, LANES_CAME };

#endif
