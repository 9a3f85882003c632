/* The memory shared by the VPI module (cosim.c, in vvp) and its host (child.go):
 * this header, then the port table, then the tape. */
#ifndef COSIM_SHARED_H
#define COSIM_SHARED_H

#include <stdint.h>

#define COSIM_MAGIC 0x434f5349u /* "COSI": changes with this file */
#define COSIM_HEADER_SIZE 4096

enum { COSIM_RUN = 1, COSIM_QUIT = 2, COSIM_SETTLE = 3 };

/* Why a run ended. */
enum { COSIM_RAN = 0, COSIM_ENDED = 1 /* the RTL called $finish, $stop or $fatal */ };

/* The host fills in all but the lines marked "child". The two request words are
 * futexes: each side increments its own and wakes the other. */
typedef struct {
    uint32_t magic;
    uint32_t request; /* +1: the host wants command done */
    uint32_t reply;   /* child: +1: it is done */
    uint32_t command;
    int64_t rows;     /* of this run */
    int64_t sampled;  /* child: rows sampled in this run, while it goes on */
    uint32_t why;     /* child: COSIM_RAN or COSIM_ENDED */
    uint32_t failed;  /* child: 1: message says what the module cannot do */
    uint32_t ports;   /* entries in the table */
    uint32_t spin;    /* loops to spin before sleeping */
    uint32_t in_size; /* bytes of a row */
    uint32_t out_size;
    uint64_t table_at; /* offsets from the start */
    uint64_t in_at;
    uint64_t out_at;
    uint64_t unknown_at;
    char message[256]; /* child */
} cosim_header;

enum { COSIM_INPUT = 0, COSIM_OUTPUT = 1, COSIM_CLOCK = 2 };

typedef struct {
    char name[224]; /* top.port; a clock may have none */
    uint32_t kind;
    uint32_t width;
    uint32_t offset; /* in a row */
    uint32_t size;
    uint32_t is_signed; /* an output is extended with its sign to size */
    uint32_t unused;
    uint64_t period; /* of a clock, in fs */
    uint64_t phase;
} cosim_port;

#endif
