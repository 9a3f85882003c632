// The shared library's side of api.h: a Verilated model as a block of memory and
// a step. Compiled once per model, together with ports.inc, which the bridge
// generates from the model's header.
#include "Vdut.h"
#include "verilated.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "api.h"
#include "ports.inc"  // COSIM_CLOCKS, cosim_apply, cosim_sample, cosim_clock: straight-line copies between a row and the ports
#include "schedule.h"

namespace {

// Thrown out of eval() by $stop, $fatal and runtime errors; the model is of no use
// afterwards.
struct Stop {};

// What a model may print before the host reads it; the rest is dropped.
constexpr size_t kMaxText = 1 << 20;

}  // namespace

struct cosim_model {
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vdut> dut;
    cosim_clock_state clocks[COSIM_CLOCKS];
    uint64_t instant = 0;  // of the last row
    uint64_t now = 0;      // in units of the model's time precision, as all times here
    std::string text;
    bool dropped = false;
    int why = COSIM_RAN;
    int line = 0;
    std::string file;
    std::string message;
};

namespace {

// The model that this thread is running. Goroutines move between threads, so
// each entry sets it, and with it Verilator's own notion of the current context.
thread_local cosim_model* current = nullptr;

struct Entry {
    explicit Entry(cosim_model* m) {
        current = m;
        Verilated::threadContextp(m->context.get());
    }
    ~Entry() { current = nullptr; }
};

void note(int why, const char* file, int line, const char* message) {
    if (!current || current->why != COSIM_RAN) return;
    current->why = why;
    current->line = line;
    current->file = file ? file : "";
    current->message = message ? message : "";
}

int32_t report(const cosim_model* m, int64_t rows, cosim_end* end) {
    end->rows = rows;
    end->why = m->why;
    end->line = m->line;
    snprintf(end->file, sizeof end->file, "%s", m->file.c_str());
    snprintf(end->message, sizeof end->message, "%s", m->message.c_str());
    return m->why;
}

// Runs f, and turns whatever it throws into a reason in the model.
template <typename F>
void guarded(F f) {
    try {
        f();
    } catch (const Stop&) {
        // noted already
    } catch (const std::exception& e) {
        note(COSIM_FATAL, "", 0, e.what());
    }
}

// Moves to a time, and lowers the clocks that fall by then.
inline void advance(cosim_model* m, uint64_t time) {
    m->now = time;
    m->context->time(time);
    for (int i = 0; i < COSIM_CLOCKS; ++i) {
        if (m->clocks[i].fall <= time) {
            cosim_clock(*m->dut, i, 0);
            cosim_falls(&m->clocks[i]);
        }
    }
}

// All of a row but its edge: clocks fall, inputs are applied, outputs are sampled.
inline void settle_row(cosim_model* m, const cosim_row_times& row, const uint8_t* in, uint8_t* out) {
    uint64_t fall;
    while ((fall = cosim_next_fall(m->clocks, COSIM_CLOCKS)) < row.inputs) {
        advance(m, fall);
        m->dut->eval();
    }
    advance(m, m->now < row.inputs ? row.inputs : m->now);
    cosim_apply(*m->dut, in);
    m->dut->eval();
    while ((fall = cosim_next_fall(m->clocks, COSIM_CLOCKS)) < row.instant) {
        advance(m, fall);
        m->dut->eval();
    }
    cosim_sample(*m->dut, out);
}

cosim_model* create(uint64_t seed, const uint64_t* periods, const uint64_t* phases, cosim_end* end) {
    auto m = std::make_unique<cosim_model>();
    m->context = std::make_unique<VerilatedContext>();
    Entry entry{m.get()};
    m->context->randReset(2);
    m->context->randSeed(static_cast<int>(seed % 0x7fffffff) + 1);  // 0 would mean a random seed
    guarded([&] {
        m->dut = std::make_unique<Vdut>(m->context.get(), "TOP");
        uint64_t tick_fs = 1;
        for (int p = m->context->timeprecision(); p > -15; --p) tick_fs *= 10;
        for (int i = 0; i < COSIM_CLOCKS; ++i) {
            cosim_clock_init(&m->clocks[i], periods[i], phases[i], tick_fs);
            cosim_clock(*m->dut, i, 0);
        }
        const uint8_t zeros[COSIM_IN_SIZE + 1] = {};
        cosim_apply(*m->dut, zeros);
        m->dut->eval();
    });
    if (m->context->gotFinish()) note(COSIM_FINISH, "", 0, "");
    if (m->why == COSIM_RAN) return m.release();
    // The message is more use with what was printed before it.
    if (m->message.empty()) m->message = m->text;
    report(m.get(), 0, end);
    return nullptr;
}

int32_t run(cosim_model* m, const uint8_t* in, uint8_t* out, int64_t n, cosim_end* end) {
    if (m->why != COSIM_RAN) return report(m, 0, end);
    Entry entry{m};
    int64_t rows = 0;
    guarded([&] {
        for (int64_t i = 0; i < n; ++i) {
            const cosim_row_times row = cosim_next_row(m->clocks, COSIM_CLOCKS, m->instant);
            settle_row(m, row, in + i * COSIM_IN_SIZE, out + i * COSIM_OUT_SIZE);
            rows = i + 1;
            advance(m, row.instant);
            for (int c = 0; c < COSIM_CLOCKS; ++c) {
                if (m->clocks[c].rise == row.instant) {
                    cosim_clock(*m->dut, c, 1);
                    cosim_rises(&m->clocks[c]);
                }
            }
            m->dut->eval();
            m->instant = row.instant;
            if (__builtin_expect(m->context->gotFinish(), 0)) {
                note(COSIM_FINISH, "", 0, "");
                return;
            }
        }
    });
    end->text = static_cast<int64_t>(m->text.size());
    return m->why == COSIM_RAN ? COSIM_RAN : report(m, rows, end);
}

int32_t settle(cosim_model* m, const uint8_t* in, uint8_t* out, cosim_end* end) {
    if (m->why != COSIM_RAN) return report(m, 0, end);
    Entry entry{m};
    guarded([&] {
        settle_row(m, cosim_next_row(m->clocks, COSIM_CLOCKS, m->instant), in, out);
        if (m->context->gotFinish()) note(COSIM_FINISH, "", 0, "");
    });
    end->text = static_cast<int64_t>(m->text.size());
    return m->why == COSIM_RAN ? COSIM_RAN : report(m, 0, end);
}

const char* text(cosim_model* m, int64_t* length) {
    *length = static_cast<int64_t>(m->text.size());
    return m->text.data();
}

void clear(cosim_model* m) {
    m->text.clear();
    m->dropped = false;
}

void destroy(cosim_model* m) {
    Entry entry{m};
    if (m->why == COSIM_RAN || m->why == COSIM_FINISH) guarded([&] { m->dut->final(); });
    m->dut.reset();
    m->context.reset();
    delete m;
}

}  // namespace

// Called by Verilator's runtime.

void cosim_printf(const char* format, ...) {
    char small[1024];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    std::string big;
    const char* s = small;
    if (n >= static_cast<int>(sizeof small)) {
        big.resize(n + 1);
        vsnprintf(&big[0], big.size(), format, again);
        s = big.c_str();
    }
    va_end(again);
    if (!current) {
        fputs(s, stderr);
    } else if (current->text.size() + n <= kMaxText) {
        current->text.append(s, n);
    } else if (!current->dropped) {
        current->dropped = true;
        current->text += "\n(more output was dropped: it came faster than it was read)\n";
    }
}

void vl_finish(const char* file, int line, const char*) VL_MT_UNSAFE {
    note(COSIM_FINISH, file, line, "");
    Verilated::threadContextp()->gotFinish(true);
}

void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
    note(COSIM_STOP, file, line, "");
    throw Stop{};
}

void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
    note(COSIM_FATAL, file, line, message);
    throw Stop{};
}

extern "C" __attribute__((visibility("default"))) const cosim_api_t cosim_api = {create, run, settle, text, clear, destroy};
