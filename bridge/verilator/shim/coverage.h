// Code coverage as text, and its counters.
#ifndef COSIM_COVERAGE_H
#define COSIM_COVERAGE_H

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "state.h"

#if VM_COVERAGE
#include "verilated_cov.h"
#endif

namespace cosim {

inline uint32_t* counters(cosim_model* m) {
#if COSIM_COUNTERS
    static_assert(sizeof m->dut->rootp->vlSymsp->__Vcoverage[0] == sizeof(uint32_t), "counters are not of 32 bits");
    return reinterpret_cast<uint32_t*>(&m->dut->rootp->vlSymsp->__Vcoverage[0]);
#else
    return nullptr;
#endif
}

#if COSIM_COUNTERS
template <size_t N>
void forget(cosim_model* m, const uint32_t (&ranges)[N][2]) {
    for (const auto& range : ranges) std::memset(counters(m) + range[0], 0, range[1] * sizeof(uint32_t));
}
#endif

// Registers power up with random values. What these cover must not count as covered by a test. So
// toggles and cover properties are counted from the first row that is not in reset. Earlier ones
// would be wrong: Verilator compares a signal's first value with a random one to find a toggle, and
// a property sees the random values before the first edge.
inline void before_row(cosim_model* m, const uint8_t* in) {
#if COSIM_COUNTERS
    if (__builtin_expect(!m->counts, 0) && !cosim_resets(in)) {
        forget(m, cosim_events);
        m->counts = true;
    }
#endif
}

// Lines and branches are counted from the clock's first edge in reset. At this edge registers lose
// the random values, by code that is to be counted. With several clocks it is the last of their
// first edges, because a reset lasts for some edges of each.
inline void before_edge(cosim_model* m, const cosim_row_times& row) {
#if COSIM_COUNTERS
    if (__builtin_expect(m->counts, 1)) return;
    const uint32_t risen = m->risen;
    for (int c = 0; c < COSIM_CLOCKS; ++c) {
        if (m->clocks[c].rise == row.instant) m->risen |= 1u << c;
    }
    if (m->risen != risen) forget(m, cosim_recurring);
#endif
}

// Appends coverage to text. Verilator writes it to a named file only, so this is a file in memory.
// Returns false if that failed.
inline bool coverage(cosim_model* m, std::string& text) {
#if VM_COVERAGE
    const int fd = memfd_create("cosimate-coverage", MFD_CLOEXEC);
    if (fd < 0) return false;
#if COSIM_COUNTERS
    if (!m->counts) forget(m, cosim_events);
#endif
    m->context->coveragep()->write(("/proc/self/fd/" + std::to_string(fd)).c_str());
    char part[1 << 16];
    ssize_t n = 0;
    off_t at = 0;
    while ((n = pread(fd, part, sizeof part, at)) > 0) {
        text.append(part, n);
        at += n;
    }
    close(fd);
    return n == 0 && !text.empty();
#else
    return false;
#endif
}

}  // namespace cosim

#endif
