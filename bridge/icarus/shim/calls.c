/* System tasks with which RTL calls Go: $cosim_log, $cosim_event, $cosim_ask. And $finish and
 * $stop, in place of Icarus 11's, which do not report where they were called. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"

int calls_wrong;

enum { MAX_ARGS = 5, MAX_TEXT = 4096 };

/* A call in the source. */
typedef struct {
    char *scope; /* the instance that it is in */
    char *place; /* file:line */
    vpiHandle args[MAX_ARGS];
    uint32_t widths[MAX_ARGS];
    int n;
} call;

static char *copied(const char *s) {
    char *c = strdup(s ? s : "");
    if (!c) fail("out of memory", "");
    return c;
}

static call *new_call(vpiHandle h) {
    call *c = calloc(1, sizeof *c);
    if (!c) fail("out of memory", "");
    vpiHandle scope = vpi_handle(vpiScope, h);
    for (vpiHandle up; vpi_get(vpiType, scope) != vpiModule && (up = vpi_handle(vpiScope, scope));) scope = up;
    c->scope = copied(vpi_get_str(vpiFullName, scope));
    char place[MAX_TEXT];
    const char *file = vpi_get_str(vpiFile, h);
    snprintf(place, sizeof place, "%s:%d", file ? file : "?", vpi_get(vpiLineNo, h));
    c->place = copied(place);
    vpiHandle it = vpi_iterate(vpiArgument, h), arg;
    while (it && (arg = vpi_scan(it))) {
        if (c->n < MAX_ARGS) {
            c->args[c->n] = arg;
            c->widths[c->n] = (uint32_t)vpi_get(vpiSize, arg);
        }
        c->n++;
    }
    vpi_put_userdata(h, c);
    return c;
}

static call *this_call(void) {
    vpiHandle h = vpi_handle(vpiSysTfCall, NULL);
    call *c = vpi_get_userdata(h);
    return c ? c : new_call(h);
}

static void wrong(const call *c, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: error: ", c->place);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
    calls_wrong++;
}

/* Argument i is to be a value of at most 64 bits. */
static void check_value(const call *c, const char *task, int i) {
    const PLI_INT32 type = vpi_get(vpiType, c->args[i]);
    if (type == vpiRealVar || type == vpiStringVar || (type == vpiConstant && vpi_get(vpiConstType, c->args[i]) == vpiRealConst))
        wrong(c, "argument %d of %s must be a vector", i + 1, task);
    else if (c->widths[i] < 1 || c->widths[i] > 64)
        wrong(c, "argument %d of %s has %u bits: at most 64 can be given", i + 1, task, c->widths[i]);
}

static const char *const severities[] = {"debug", "info", "warning", "error"};

static PLI_INT32 check_log(PLI_BYTE8 *task) {
    call *c = this_call();
    if (c->n != 2) {
        wrong(c, "%s takes a severity and a text, not %d arguments", task, c->n);
        return 0;
    }
    if (vpi_get(vpiType, c->args[0]) == vpiConstant) {
        s_vpi_value v = {.format = vpiStringVal};
        vpi_get_value(c->args[0], &v);
        for (size_t i = 0; i < sizeof severities / sizeof *severities; i++)
            if (strcmp(v.value.str, severities[i]) == 0) return 0;
        wrong(c, "the severity \"%s\" of %s is none of debug, info, warning, error", v.value.str, task);
    }
    return 0;
}

static PLI_INT32 check_event(PLI_BYTE8 *task) {
    call *c = this_call();
    if (c->n < 2 || c->n > 5) {
        wrong(c, "%s takes a name and one to four values, not %d arguments", task, c->n);
        return 0;
    }
    for (int i = 1; i < c->n; i++) check_value(c, task, i);
    return 0;
}

static PLI_INT32 check_ask(PLI_BYTE8 *task) {
    call *c = this_call();
    if (c->n != 3) {
        wrong(c, "%s takes a name, a value and a variable for the answer, not %d arguments", task, c->n);
        return 0;
    }
    check_value(c, task, 1);
    check_value(c, task, 2);
    switch (vpi_get(vpiType, c->args[2])) {
    case vpiReg: case vpiIntegerVar: case vpiTimeVar: case vpiBitVar: case vpiByteVar: case vpiShortIntVar:
    case vpiIntVar: case vpiLongIntVar: case vpiMemoryWord: case vpiPartSelect:
        break;
    default:
        wrong(c, "argument 3 of %s must be a variable: it is given the answer", task);
    }
    return 0;
}

static void get_text(vpiHandle h, char *text) {
    s_vpi_value v = {.format = vpiStringVal};
    vpi_get_value(h, &v);
    snprintf(text, MAX_TEXT, "%s", v.value.str ? v.value.str : "");
    for (char *p = text; *p; p++)
        if (*p >= COSIM_BEGIN[0] && *p <= COSIM_NEXT[0]) *p = ' '; /* marks of records */
}

static PLI_INT32 do_log(PLI_BYTE8 *task) {
    (void)task;
    const call *c = this_call();
    char severity[MAX_TEXT], text[MAX_TEXT];
    get_text(c->args[0], severity);
    get_text(c->args[1], text);
    printf(COSIM_BEGIN "l%s" COSIM_NEXT "%s" COSIM_NEXT "%s" COSIM_NEXT "%s" COSIM_END, severity, c->scope, c->place, text);
    return 0;
}

/* Appends an event, with the values of arguments 1 to n. */
static void add_event(const call *c, int n) {
    char name[MAX_TEXT];
    get_text(c->args[0], name);
    const size_t scope_size = strlen(c->scope) + 1, name_size = strlen(name) + 1;
    const uint32_t size = (uint32_t)(sizeof(cosim_event) + scope_size + name_size + 7) & ~7u;
    if (host->arena_used + size > host->arena_size) {
        answer(COSIM_EVENTS);
        wait_request();
        if (size > host->arena_size) fail("an event is too long: ", name);
    }
    cosim_event *e = (cosim_event *)(arena + host->arena_used);
    memset(e, 0, size);
    e->size = size;
    e->values = (uint32_t)n;
    e->cycle = cycle;
    for (int i = 0; i < n; i++) {
        s_vpi_value v = {.format = vpiVectorVal};
        vpi_get_value(c->args[i + 1], &v);
        for (uint32_t w = 0; w < (c->widths[i + 1] + 31) / 32; w++) {
            const uint32_t rest = c->widths[i + 1] - 32 * w, mask = rest < 32 ? (1u << rest) - 1 : ~0u;
            const uint32_t a = (uint32_t)v.value.vector[w].aval & mask, b = (uint32_t)v.value.vector[w].bval & mask;
            e->value[i] |= (uint64_t)(a ^ b) << 32 * w;
            e->unknown[i] |= (uint64_t)b << 32 * w;
        }
    }
    memcpy((char *)(e + 1), c->scope, scope_size);
    memcpy((char *)(e + 1) + scope_size, name, name_size);
    host->arena_used += size;
}

static PLI_INT32 do_event(PLI_BYTE8 *task) {
    (void)task;
    if (!host || !host->events) return 0;
    const call *c = this_call();
    add_event(c, c->n - 1);
    return 0;
}

static PLI_INT32 do_ask(PLI_BYTE8 *task) {
    (void)task;
    if (!host) return 0;
    const call *c = this_call();
    add_event(c, 1);
    answer(COSIM_ASKS);
    wait_request();
    const uint64_t bits = host->answer, known = 0;
    put_bits(c->args[2], c->widths[2], &bits, &known, vpiNoDelay);
    return 0;
}

static PLI_INT32 do_end(PLI_BYTE8 *task) {
    const call *c = this_call();
    if (host) printf(COSIM_BEGIN "e%s" COSIM_NEXT "%s" COSIM_NEXT "%s" COSIM_END, task, c->scope, c->place);
    vpi_control(vpiFinish, 0);
    return 0;
}

void calls_register(void) {
    static s_vpi_systf_data tasks[] = {
        {vpiSysTask, 0, "$cosim_log", do_log, check_log, NULL, "$cosim_log"},
        {vpiSysTask, 0, "$cosim_event", do_event, check_event, NULL, "$cosim_event"},
        {vpiSysTask, 0, "$cosim_ask", do_ask, check_ask, NULL, "$cosim_ask"},
        /* vvp keeps the first that is registered, and loads this module before its own. */
        {vpiSysTask, 0, "$finish", do_end, NULL, NULL, "$finish"},
        {vpiSysTask, 0, "$stop", do_end, NULL, NULL, "$stop"},
    };
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) vpi_register_systf(&tasks[i]);
}
