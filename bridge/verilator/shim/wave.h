// Waveforms: an FST file of a window of cycles.
#ifndef COSIM_WAVE_H
#define COSIM_WAVE_H

#include <cstdint>
#include <memory>
#include <string>

#include "Vdut.h"
#include "api.h"

#if VM_TRACE_FST
#include "verilated_fst_c.h"

namespace cosim {

struct Wave {
    std::unique_ptr<VerilatedFstC> file;
    std::string path;
    uint64_t from = 0, to = 0;
    uint64_t last = 0;  // the last time that was recorded
    bool paused = false;
    // The writer is at work. After a crash in the writer this stays true, and its mutex locked.
    bool busy = false;

    void configure(VerilatedContext& context, const cosim_options& options) {
        path = options.wave;
        from = options.wave_from;
        to = options.wave_to;
        if (!path.empty()) context.traceEverOn(true);
    }
    // Called after each evaluation.
    void record(Vdut& dut, uint64_t cycle, uint64_t time) {
        if (__builtin_expect(path.empty(), 1) || paused || cycle < from) return;
        if (cycle > to) return finish();
        if (time <= last && file) return;
        busy = true;
        if (!file) {
            file = std::make_unique<VerilatedFstC>();
            dut.trace(file.get(), 99);
            file->open(path.c_str());
        }
        last = time;
        file->dump(time);
        busy = false;
    }
    // Completes the file.
    void finish() {
        if (file && !busy) {
            busy = true;
            file->close();
            busy = false;
        }
        path.clear();
    }
};

}  // namespace cosim

#else

namespace cosim {

struct Wave {
    bool paused;
    void configure(VerilatedContext&, const cosim_options&) {}
    void record(Vdut&, uint64_t, uint64_t) {}
    void finish() {}
};

}  // namespace cosim

#endif

#endif
