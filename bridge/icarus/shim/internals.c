/* Signals within the design: listed when the model is built, and reached by the host between
 * runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"

typedef struct {
    const char *name;
    vpiHandle handle;
    int is_memory;
} internal;

static internal *internals;

static int is_memory(vpiHandle h) {
    const PLI_INT32 type = vpi_get(vpiType, h);
    return type == vpiMemory || type == vpiNetArray || type == vpiRegArray;
}

void internals_find(const char *top, const char *names, uint32_t count) {
    internals = calloc(count + 1, sizeof *internals);
    char *list = malloc(host->arena_size); /* the arena is used for other things */
    if (!internals || !list) fail("out of memory", "");
    memcpy(list, names, host->arena_size);
    for (uint32_t i = 0; i < count; i++, list += strlen(list) + 1) {
        char full[4096];
        snprintf(full, sizeof full, "%s.%s", top, list);
        internals[i].name = list;
        internals[i].handle = vpi_handle_by_name(full, NULL);
        if (!internals[i].handle) fail("no such signal: ", full);
        internals[i].is_memory = is_memory(internals[i].handle);
    }
}

static int refuse(const char *what) {
    snprintf(host->message, sizeof host->message, "%s", what);
    answer(COSIM_REFUSED);
    return 1;
}

/* The first or the last index of a memory. */
static int index_of(vpiHandle memory, PLI_INT32 end) {
    s_vpi_value v = {.format = vpiIntVal};
    vpi_get_value(vpi_handle(end, memory), &v);
    return v.value.integer;
}

int internals_command(void) {
    const uint32_t command = host->command;
    if (command < COSIM_PEEK || command > COSIM_RELEASE) return 0;
    char text[512];
    const internal *in = &internals[host->signal];
    vpiHandle h = in->handle;
    if (in->is_memory) {
        if (!host->has_word) return refuse("it is a memory: name a word, as in mem[3]");
        vpiHandle word = vpi_handle_by_index(h, (PLI_INT32)host->word);
        if (!word) {
            snprintf(text, sizeof text, "the memory has words [%d:%d]", index_of(h, vpiLeftRange), index_of(h, vpiRightRange));
            return refuse(text);
        }
        h = word;
    } else if (host->has_word) {
        return refuse("it is not a memory: name the whole signal");
    }
    const uint32_t width = (uint32_t)vpi_get(vpiSize, h), words = (width + 63) / 64;
    if (words * 16 > host->arena_size) return refuse("it is too wide");
    uint64_t *value = (uint64_t *)arena, *unknown = value + words;
    if (command == COSIM_PEEK) {
        get_bits(h, width, value, unknown);
        host->width = width;
        answer(COSIM_DONE);
        return 1;
    }
    if (command != COSIM_POKE && vpi_get(vpiType, h) == vpiMemoryWord)
        return refuse("Icarus cannot force a word of a memory: poke it before each row");
    if (command == COSIM_RELEASE) {
        s_vpi_value v = {.format = vpiBinStrVal}; /* what it has then */
        vpi_put_value(h, &v, NULL, vpiReleaseFlag);
        answer(COSIM_DONE);
        return 1;
    }
    if (host->width != width) {
        snprintf(text, sizeof text, "it has %u bits, the value %u", width, host->width);
        return refuse(text);
    }
    put_bits(h, width, value, unknown, command == COSIM_FORCE ? vpiForceFlag : vpiNoDelay);
    answer(COSIM_DONE);
    return 1;
}

/* Writes the names of all signals below a scope; of a memory, the first and the last index as well. */
static void list_scope(FILE *f, vpiHandle scope, size_t skip) {
    static const PLI_INT32 kinds[] = {vpiNet, vpiReg, vpiVariables, vpiMemory, vpiNetArray, vpiRegArray};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        vpiHandle it = vpi_iterate(kinds[k], scope), h;
        while (it && (h = vpi_scan(it))) {
            const PLI_INT32 type = vpi_get(vpiType, h);
            if (type == vpiRealVar || type == vpiStringVar || type == vpiNamedEvent) continue;
            fprintf(f, "%s", vpi_get_str(vpiFullName, h) + skip);
            if (type == vpiMemory || type == vpiNetArray) fprintf(f, " %d %d", index_of(h, vpiLeftRange), index_of(h, vpiRightRange));
            fputc('\n', f);
        }
    }
    vpiHandle it = vpi_iterate(vpiInternalScope, scope), h;
    while (it && (h = vpi_scan(it))) list_scope(f, h, skip);
}

void internals_list(vpiHandle top, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) fail("cannot write ", path);
    list_scope(f, top, strlen(vpi_get_str(vpiFullName, top)) + 1);
    if (fclose(f) != 0) fail("cannot write ", path);
}
