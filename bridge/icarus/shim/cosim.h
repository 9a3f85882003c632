/* What the files of the VPI module share. */
#ifndef COSIM_H
#define COSIM_H

#include <stdint.h>

#include <sv_vpi_user.h>
#include <vpi_user.h>

#include "shared.h"

/* cosim.c: time, rows, requests. */
extern cosim_header *host; /* NULL while ports are listed */
extern uint8_t *arena;
extern uint64_t cycle;   /* the one that the simulation is in */
void answer(uint32_t why);
void wait_request(void); /* until the host sends the next command */
_Noreturn void fail(const char *what, const char *name);

/* values.c: bits of signals. Values here have 0 for X and 1 for Z. */
typedef struct {
    vpiHandle handle;
    uint32_t width;
    uint32_t offset, size; /* in a row */
    uint32_t is_signed;
} port;
void values_room(uint32_t width); /* called once for each port: prepares for its width */
void put_bit(vpiHandle h, int level);
void put_port(const port *p, const uint8_t *bytes);
void get_port(const port *p, uint8_t *value, uint8_t *unknown);
void get_bits(vpiHandle h, uint32_t width, uint64_t *value, uint64_t *unknown);
void put_bits(vpiHandle h, uint32_t width, const uint64_t *value, const uint64_t *unknown, int flag);

/* internals.c: signals within the design, by name. */
void internals_find(const char *top, const char *names, uint32_t count);
int internals_command(void); /* carries out the host's command; 0 if it is not about a signal */
void internals_register(void);
void internals_list(vpiHandle top, const char *path); /* writes a file with a line per signal */

/* calls.c: system tasks with which RTL calls Go, and those that end the simulation. */
void calls_register(void);
extern int calls_wrong; /* how many wrong calls of them the design has */

/* trouble.c: crashes and hangs. */
void trouble_prepare(void);

#endif
