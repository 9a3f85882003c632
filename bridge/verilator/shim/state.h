// A model's state.
#ifndef COSIM_STATE_H
#define COSIM_STATE_H

#include <cstdint>
#include <memory>

#include "Vdut.h"
#include "Vdut___024root.h"
#include "Vdut__Syms.h"
#include "verilated.h"

#include "output.h"
// COSIM_CLOCKS, and cosim_apply, cosim_sample, cosim_clock, which copy between a row and the ports.
#include "ports.inc"
#include "schedule.h"

#include "wave.h"

struct cosim_model : cosim::Output {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vdut> dut;
    cosim_clock_state clocks[COSIM_CLOCKS];
    uint64_t instant = 0;  // of the last row
    uint64_t first = 0;    // cycle of the run's first row

    bool counts = false;  // coverage of all kinds counts: there was a row that is not in reset
    uint32_t risen = 0;   // mask of the clocks that have risen before that

    cosim::Wave wave{};
};

#endif
