/* The memory shared by the VPI module (cosim.c, in vvp) and its host (child.go):
 * this header, then the port table, the rows, and an arena for all that is not rows. */
#ifndef COSIM_SHARED_H
#define COSIM_SHARED_H

#include <stdint.h>

#define COSIM_MAGIC 0x434f534au /* changes with this file */
#define COSIM_HEADER_SIZE 4096

/* The host's commands. Internals are named by their place in the list that the arena holds at
 * the start. Values go through the arena. */
enum {
    COSIM_RUN = 1,
    COSIM_QUIT = 2,
    COSIM_SETTLE = 3,
    COSIM_GO_ON = 4, /* continue the run after COSIM_EVENTS or COSIM_ASKS */
    COSIM_PEEK = 5,
    COSIM_POKE = 6,
    COSIM_FORCE = 7,
    COSIM_RELEASE = 8
};

/* Why the child answers. */
enum {
    COSIM_DONE = 0,
    COSIM_ENDED = 1,   /* the RTL called $finish, $stop or $fatal */
    COSIM_EVENTS = 2,  /* the arena is full of events: the host is to take them */
    COSIM_ASKS = 3,    /* the last event in the arena is a question: its answer goes to answer */
    COSIM_REFUSED = 4, /* message says why the command was not carried out */
    COSIM_FAILED = 5   /* message says what the module cannot do; vvp ends */
};

/* The child writes the fields marked "child", the host all others. request and reply are futexes:
 * each side increments its own and wakes the other. */
typedef struct {
    uint32_t magic;
    uint32_t request; /* +1: the host wants command done */
    uint32_t reply;   /* child: +1: see why */
    uint32_t command;
    int64_t rows;     /* of this run */
    uint64_t first;   /* the cycle of its first row */
    int64_t sampled;  /* child: rows sampled in this run, while it goes on */
    uint64_t cycle;   /* child: the cycle that the simulation is in */
    uint32_t why;     /* child: see above */
    uint32_t ports;   /* entries in the table */
    uint32_t in_size; /* bytes of a row */
    uint32_t out_size;
    uint64_t table_at; /* offsets from the start */
    uint64_t in_at;
    uint64_t out_at;
    uint64_t unknown_at;
    uint64_t arena_at;
    uint32_t arena_size;
    uint32_t arena_used; /* child: bytes of events */
    uint32_t internals;  /* in the list that the arena holds at the start, each ended by 0 */
    uint32_t spin;       /* loops to spin, at most, before sleeping */
    uint32_t events;     /* 1: events are wanted */
    uint32_t timed;      /* 1: busy is wanted */
    uint64_t wave_from;  /* the cycles to record, if a waveform was asked for */
    uint64_t wave_to;
    uint64_t busy;       /* child: ns between requests and answers */
    uint64_t answer;     /* to a question */
    uint32_t signal;     /* which internal */
    uint32_t has_word;   /* 1: word is an index of a memory */
    int64_t word;
    uint32_t width;      /* of the value in the arena; child: of the value that was peeked */
    uint32_t unused;
    char message[1024]; /* child */
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

/* An event in the arena; two strings follow, each ended by 0: scope and name. */
typedef struct {
    uint32_t size; /* with strings, a multiple of 8 */
    uint32_t values;
    uint64_t cycle;
    uint64_t value[4];
    uint64_t unknown[4];
} cosim_event;

/* The module puts records into the text that vvp prints: COSIM_BEGIN, a letter, fields with
 * COSIM_NEXT between them, COSIM_END.
 *   c  cycle                           the text before it was printed in this cycle
 *   l  severity, scope, place, text    $cosim_log
 *   e  task, scope, place              $finish or $stop
 */
#define COSIM_BEGIN "\x1d"
#define COSIM_NEXT "\x1f"
#define COSIM_END "\x1e"

#endif
