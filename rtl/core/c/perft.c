/* The move generator core from C: perft, move by move, as a search would use it. On the board
 * core_read and core_write are loads and stores of a volatile uint32_t in the core's window; the
 * test of package core runs this file on the simulated bus. */

#include <stdint.h>
#include <string.h>
#include "core_regs.h"

uint32_t core_read(uint32_t address);
void core_write(uint32_t address, uint32_t data);

/* Whether the right core is there. */
int core_present(void)
{
    return core_read(CORE_IDENTITY) == CORE_IDENTITY_VALUE &&
           REGS_GET(core_read(CORE_VERSION), CORE_VERSION_MAJOR) == REGS_GET(CORE_VERSION_VALUE, CORE_VERSION_MAJOR);
}

/* Sets the position of a FEN record (trusted to be one), without its counters. */
void core_load(const char *fen)
{
    uint32_t rank[8] = {0}, position = 0;
    int r = 7, f = 0;

    for (; *fen != ' '; fen++) {
        const char *piece = strchr("PNBRQK..pnbrqk", *fen);
        if (*fen == '/')
            r--, f = 0;
        else if (piece)
            rank[r] |= (uint32_t)(piece - "PNBRQK..pnbrqk" + 1) << 4 * f++;
        else
            f += *fen - '0';
    }
    if (*++fen == 'b')
        position |= CORE_POSITION_BLACK;
    for (fen += 2; *fen != ' '; fen++)
        if (*fen != '-')
            position |= 1u << (strchr("KQkq", *fen) - "KQkq");
    if (*++fen != '-')
        position |= REGS_PUT(1u << (*fen - 'a'), CORE_POSITION_EN_PASSANT);

    for (r = 0; r < 8; r++)
        core_write(CORE_BOARD + 4 * r, rank[r]);
    core_write(CORE_POSITION, position);
    core_write(CORE_CLOCKS, REGS_PUT(1u, CORE_CLOCKS_FULLMOVE));
    core_write(CORE_LOAD, 0);
}

/* Reads the legal moves of the position, captures first; at most 218 and, without one, none. */
int core_list(uint32_t moves[256])
{
    int n = 0;
    uint32_t word;

    core_write(CORE_LIST, REGS_PUT(CORE_LIST_ORDER_LEAST_AGGRESSOR, CORE_LIST_ORDER) |
                              REGS_PUT(CORE_LIST_FILTER_ALL, CORE_LIST_FILTER));
    do {
        word = core_read(CORE_MOVES); /* waits for the next one */
        if (word & CORE_MOVE_VALID && !(word & CORE_MOVE_NONE))
            moves[n++] = word;
    } while (!(word & CORE_MOVE_LAST));
    return n;
}

/* Counts sequences of legal moves. */
unsigned long core_perft(int depth)
{
    uint32_t moves[256];
    unsigned long nodes = 0;
    int i, n = core_list(moves);

    if (depth == 1)
        return n;
    for (i = 0; i < n; i++) {
        core_write(CORE_MAKE, moves[i]); /* a word as it was listed */
        nodes += core_perft(depth - 1);
        core_write(CORE_UNMAKE, 0);
    }
    return nodes;
}
