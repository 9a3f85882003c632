// RTL calls Go: the DPI side of cosim.svh.
#ifndef COSIM_CALLS_H
#define COSIM_CALLS_H

#include "output.h"
#include "state.h"

extern "C" {

void cosim_dpi_log(const char* scope, const char* severity, const char* text) {
    cosim::Record(cosim::current, COSIM_LOG).add(scope).add(severity).add(text);
}

void cosim_dpi_event(const char* scope, const char* name, int values, unsigned long long a, unsigned long long b, unsigned long long c, unsigned long long d) {
    if (!cosim::current->options.events) return;
    cosim::Record(cosim::current, COSIM_EVENT).add(scope).add(name).add(values).add(a).add(b).add(c).add(d);
}

unsigned long long cosim_dpi_ask(const char* scope, const char* name, unsigned long long a) {
    cosim_model* m = cosim::current;
    const cosim_question question{scope, name, m->cycle, a};
    uint64_t answer = 0;
    m->end->records = static_cast<int64_t>(m->records.size());
    if (!m->options.ask(m->options.host, &question, &answer)) {
        cosim::note(COSIM_UNANSWERED, "", 0, "");
        throw cosim::Stop{};
    }
    return answer;
}

}  // extern "C"

#endif
