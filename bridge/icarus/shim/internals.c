/* Signals within the design: listed when the model is built, and reached by the host between
 * runs. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"

typedef struct {
    const char *name;
    vpiHandle handle;
    int is_memory;
    int is_joined; /* vvp has one net for it and its driver: to write it would change both */
} internal;

static internal *internals;

static int is_memory(vpiHandle h) {
    const PLI_INT32 type = vpi_get(vpiType, h);
    return type == vpiMemory || type == vpiNetArray || type == vpiRegArray;
}

/* Reports whether a signal is a port that is driven from outside the instance. */
static int is_input(vpiHandle h) {
    char name[4096];
    snprintf(name, sizeof name, "%s", vpi_get_str(vpiName, h));
    vpiHandle it = vpi_iterate(vpiPort, vpi_handle(vpiScope, h)), p;
    int found = 0;
    while (it && (p = vpi_scan(it)))
        if (strcmp(vpi_get_str(vpiName, p), name) == 0) found = vpi_get(vpiDirection, p) != vpiOutput;
    return found;
}

void internals_find(const char *top, const char *names, uint32_t count) {
    internals = calloc(count + 1, sizeof *internals);
    char *list = malloc(host->arena_size); /* a copy: the arena is needed for other things */
    if (!internals || !list) fail("out of memory", "");
    memcpy(list, names, host->arena_size);
    for (uint32_t i = 0; i < count; i++, list += strlen(list) + 1) {
        char full[4096];
        snprintf(full, sizeof full, "%s.%s", top, list);
        internals[i].name = list;
        internals[i].handle = vpi_handle_by_name(full, NULL);
        if (!internals[i].handle) fail("no such signal: ", full);
        internals[i].is_memory = is_memory(internals[i].handle);
        internals[i].is_joined = is_input(internals[i].handle);
    }
}

static int refuse(const char *what) {
    snprintf(host->message, sizeof host->message, "%s", what);
    answer(COSIM_REFUSED);
    return 1;
}

int internals_command(void) {
    const uint32_t command = host->command;
    if (command < COSIM_PEEK || command > COSIM_RELEASE) return 0;
    char text[512];
    const internal *in = &internals[host->signal];
    vpiHandle h = in->handle;
    if (in->is_memory != (host->has_word != 0) || (in->is_memory && !(h = vpi_handle_by_index(h, (PLI_INT32)host->word))))
        return refuse("there is no such word"); /* not reached: the host checks the index */
    const uint32_t width = (uint32_t)vpi_get(vpiSize, h), words = (width + 63) / 64;
    if (words * 16 > host->arena_size) return refuse("it is too wide");
    uint64_t *value = (uint64_t *)arena, *unknown = value + words;
    if (command == COSIM_PEEK) {
        get_bits(h, width, value, unknown);
        host->width = width;
        answer(COSIM_DONE);
        return 1;
    }
    if (in->is_joined)
        return refuse("it is an input port of an instance, which Icarus joins with what drives it and all that this drives: "
                      "poke or force what the port drives within the instance");
    if (command != COSIM_POKE && vpi_get(vpiType, h) == vpiMemoryWord)
        return refuse("Icarus cannot force a word of a memory: poke it before each row");
    if (command == COSIM_RELEASE) {
        s_vpi_value v = {.format = vpiBinStrVal}; /* vvp returns the value after the release */
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

static int is_simple(const char *s) {
    size_t n = 0;
    while (s[n] == '_' || s[n] == '$' || isalnum((unsigned char)s[n])) n++;
    return n > 0 && !isdigit((unsigned char)s[0]) && s[0] != '$' && (s[n] == 0 || (s[n] == '[' && s[strlen(s) - 1] == ']'));
}

/* Returns a path in the syntax of the source, with one more name. The caller frees it. */
static char *extend_path(const char *path, const char *name) {
    char *all = malloc(strlen(path) + strlen(name) + 4);
    if (!all) fail("out of memory", "");
    sprintf(all, is_simple(name) ? "%s%s%s" : "%s%s\\%s ", path, *path ? "." : "", name);
    return all;
}

/* Reports whether a word of a memory has four states, by writing X to it. vvp 11 crashes when it
 * records words of two states. */
static int has_four_states(vpiHandle word) {
    s_vpi_value v = {.format = vpiBinStrVal, .value.str = "x"};
    vpi_put_value(word, &v, NULL, vpiNoDelay);
    vpi_get_value(word, &v);
    const char *text = v.value.str;
    return text[strlen(text) - 1] == 'x';
}

static void list_memory(FILE *f, vpiHandle memory, const char *name, const char *path) {
    s_vpi_value first = {.format = vpiIntVal};
    vpi_get_value(vpi_handle(vpiLeftRange, memory), &first);
    vpiHandle word = vpi_handle_by_index(memory, first.value.integer);
    s_vpi_value v = {.format = vpiObjTypeVal};
    if (word) vpi_get_value(word, &v);
    if (!word || v.format == vpiRealVal || v.format == vpiStringVal) return;
    /* Arrays of nets are recorded without being named. */
    const int named = vpi_get(vpiType, memory) == vpiMemory && has_four_states(word);
    fprintf(f, "%s %d %s\n", name, named, path);
}

/* Writes the names of all signals below a scope. For a memory it also writes whether its words can
 * be recorded if they are named, and its path in the syntax of the source. The variables of
 * automatic functions are left out: they exist only while the function runs. */
static void list_scope(FILE *f, vpiHandle scope, const char *path, size_t skip) {
    static const PLI_INT32 kinds[] = {vpiNet, vpiReg, vpiVariables, vpiMemory, vpiNetArray, vpiRegArray};
    if (vpi_get(vpiAutomatic, scope)) return;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        vpiHandle it = vpi_iterate(kinds[k], scope), h;
        while (it && (h = vpi_scan(it))) {
            const PLI_INT32 type = vpi_get(vpiType, h);
            if (type == vpiRealVar || type == vpiStringVar || type == vpiNamedEvent) continue;
            char *extended = extend_path(path, vpi_get_str(vpiName, h));
            const char *name = vpi_get_str(vpiFullName, h) + skip;
            if (is_memory(h))
                list_memory(f, h, name, extended);
            else
                fprintf(f, "%s\n", name);
            free(extended);
        }
    }
    vpiHandle it = vpi_iterate(vpiInternalScope, scope), h;
    while (it && (h = vpi_scan(it))) {
        char *extended = extend_path(path, vpi_get_str(vpiName, h));
        list_scope(f, h, extended, skip);
        free(extended);
    }
}

void internals_list(vpiHandle top, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f) fail("cannot write ", path);
    list_scope(f, top, "", strlen(vpi_get_str(vpiFullName, top)) + 1);
    if (fclose(f) != 0) fail("cannot write ", path);
}

/* $cosim_memory prints its arguments, which are constants, when the design is loaded. */
static PLI_INT32 check_memory(PLI_BYTE8 *task) {
    (void)task;
    vpiHandle it = vpi_iterate(vpiArgument, vpi_handle(vpiSysTfCall, NULL)), arg;
    printf("cosim-memory");
    while (it && (arg = vpi_scan(it))) {
        s_vpi_value v = {.format = vpiIntVal};
        vpi_get_value(arg, &v);
        printf(" %d", v.value.integer);
    }
    printf("\n");
    return 0;
}

static PLI_INT32 do_nothing(PLI_BYTE8 *task) {
    (void)task;
    return 0;
}

void internals_register(void) {
    static s_vpi_systf_data task = {vpiSysTask, 0, "$cosim_memory", do_nothing, check_memory, NULL, "$cosim_memory"};
    vpi_register_systf(&task);
}
