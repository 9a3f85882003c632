/* Runs ../c/perft.c for the test: accesses go out as lines, answers come in as lines. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int core_present(void);
void core_load(const char *fen);
unsigned long core_perft(int depth);

uint32_t core_read(uint32_t address)
{
    unsigned long data;

    printf("read %lx\n", (unsigned long)address);
    fflush(stdout);
    if (scanf("%lx", &data) != 1)
        exit(1);
    return data;
}

void core_write(uint32_t address, uint32_t data)
{
    unsigned long done;

    printf("write %lx %lx\n", (unsigned long)address, (unsigned long)data);
    fflush(stdout);
    if (scanf("%lx", &done) != 1)
        exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 3 || !core_present())
        return 1;
    core_load(argv[1]);
    printf("nodes %lu\n", core_perft(atoi(argv[2])));
    return 0;
}
