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

// Toggles are counted from the first row that is not in reset. Before, registers leave the random values of their power-up, and
// Verilator compares with random values what has none before.
inline void forget_toggles(cosim_model* m) {
#if COSIM_TOGGLES
    for (const auto& range : cosim_toggles) std::memset(counters(m) + range[0], 0, range[1] * sizeof(uint32_t));
#endif
}

// Verilator writes to a file of a name only: one in memory. False if that failed.
inline bool coverage(cosim_model* m, std::string& text) {
#if VM_COVERAGE
    const int fd = memfd_create("cosimate-coverage", MFD_CLOEXEC);
    if (fd < 0) return false;
    if (!m->counts_toggles) forget_toggles(m);
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
