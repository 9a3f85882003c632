// The shared library's side of api.h: it plays rows in the caller's memory on a Verilated model. It
// is compiled once per model and layout, together with ports.inc, which the bridge generates. The
// model's state is in state.h, what it prints and its calls of Go in output.h, coverage in
// coverage.h and waveforms in wave.h.
#include "coverage.h"
#include "output.h"
#include "state.h"

#if COSIM_DIRECT_EVAL
void Vdut___024root___eval(Vdut___024root*);
#endif
#ifdef COSIM_RESET_LOW
void Vdut___024root___eval_static(Vdut___024root*);
void Vdut___024root___eval_initial(Vdut___024root*);
void Vdut___024root___eval_settle(Vdut___024root*);
#endif

namespace cosim {

// One evaluation. Vdut::eval() also does housekeeping through thread-local storage, which takes as
// long as the logic of a small block. With COSIM_DIRECT_EVAL the logic is called directly; what is
// needed of the housekeeping is then done once per run, by enter().
inline void evaluate(cosim_model* m) {
    const uint64_t start = __builtin_expect(m->options.timed, 0) ? nanoseconds() : 0;
#if COSIM_DIRECT_EVAL
    Vdut___024root___eval(m->dut->rootp);
#else
    m->dut->eval();
#endif
    if (__builtin_expect(m->options.timed, 0)) m->end->simulator += nanoseconds() - start;
    m->wave.record(*m->dut, m->cycle, m->now);
}

// Calls f, which may end the model, and turns whatever it throws into a reason in the model.
template <typename F>
int32_t guarded(cosim_model* m, F f) {
    m->loop_start = 0;
    try {
        f();
    } catch (const Stop&) {
        // noted already
    } catch (const std::exception& e) {
        note(COSIM_ERROR, "", 0, e.what());
    } catch (...) {
        note(COSIM_ERROR, "", 0, "an exception that is not of the standard library");
    }
    m->end->records = static_cast<int64_t>(m->records.size());
    return m->why;
}

// Marks what is called once for a model. To make it fast takes the compiler a tenth of the time of
// a small model.
#define COSIM_ONCE __attribute__((cold, noinline))

inline void at(cosim_model* m, uint64_t time) {
    m->now = time;
    m->context->time(time);
}

#if COSIM_CLOCKS == 1

// All of a row but its edge. With a single clock, the clock falls when the inputs are applied.
inline void settle_row(cosim_model* m, const cosim_row_times& row, const uint8_t* in, uint8_t* out) {
    at(m, row.inputs);
    cosim_clock(*m->dut->rootp, 0, 0);
    cosim_apply(*m->dut->rootp, in);
    evaluate(m);
    cosim_sample(*m->dut->rootp, out);
}

inline cosim_row_times next_row(const cosim_model* m) {
    return {m->clocks[0].rise, m->clocks[0].rise - m->clocks[0].low};
}

inline void edge(cosim_model* m, const cosim_row_times& row) {
    at(m, row.instant);
    m->clocks[0].rise += m->clocks[0].low + m->clocks[0].high;
    cosim_clock(*m->dut->rootp, 0, 1);
    evaluate(m);
}

#else

// Moves to a time, and lowers the clocks that fall by then.
inline void advance(cosim_model* m, uint64_t time) {
    at(m, time);
    for (int i = 0; i < COSIM_CLOCKS; ++i) {
        if (m->clocks[i].fall <= time) {
            cosim_clock(*m->dut->rootp, i, 0);
            cosim_falls(&m->clocks[i]);
        }
    }
}

// All of a row but its edges: clocks fall, inputs are applied, outputs are sampled.
inline void settle_row(cosim_model* m, const cosim_row_times& row, const uint8_t* in, uint8_t* out) {
    uint64_t fall;
    while ((fall = cosim_next_fall(m->clocks, COSIM_CLOCKS)) < row.inputs) {
        advance(m, fall);
        evaluate(m);
    }
    advance(m, m->now < row.inputs ? row.inputs : m->now);
    cosim_apply(*m->dut->rootp, in);
    evaluate(m);
    while ((fall = cosim_next_fall(m->clocks, COSIM_CLOCKS)) < row.instant) {
        advance(m, fall);
        evaluate(m);
    }
    cosim_sample(*m->dut->rootp, out);
}

inline cosim_row_times next_row(const cosim_model* m) { return cosim_next_row(m->clocks, COSIM_CLOCKS, m->instant); }

inline void edge(cosim_model* m, const cosim_row_times& row) {
    advance(m, row.instant);
    for (int c = 0; c < COSIM_CLOCKS; ++c) {
        if (m->clocks[c].rise == row.instant) {
            cosim_clock(*m->dut->rootp, c, 1);
            cosim_rises(&m->clocks[c]);
        }
    }
    m->instant = row.instant;
    evaluate(m);
}

#endif

COSIM_ONCE cosim_model* create(cosim_end* end) {
    auto m = std::make_unique<cosim_model>();
    m->end = end;
    m->context = std::make_unique<VerilatedContext>();
    return m.release();
}

void enter(cosim_model* m) {
    current = m;
    Verilated::threadContextp(m->context.get());
}

COSIM_ONCE int32_t start(cosim_model* m, const cosim_options* options) {
    m->options = *options;
    m->wave.configure(*m->context, *options);
    m->context->randReset(2);
    // 0 would mean a random seed
    m->context->randSeed(static_cast<int>(options->seed % 0x7fffffff) + 1);
    return guarded(m, [&] {
        m->dut = std::make_unique<Vdut>(m->context.get(), "TOP");
        uint64_t tick_fs = 1;
        for (int p = m->context->timeprecision(); p > -15; --p) tick_fs *= 10;
        for (int i = 0; i < COSIM_CLOCKS; ++i) {
            cosim_clock_init(&m->clocks[i], options->periods[i], options->phases[i], tick_fs);
            cosim_clock(*m->dut->rootp, i, 0);
        }
        const uint8_t zeros[COSIM_IN_SIZE + 1] = {};
        cosim_apply(*m->dut->rootp, zeros);
#ifdef COSIM_RESET_LOW
        // The reset is active low and all inputs are 0, so it is active from the start. Until a
        // clock rises, an asynchronous reset acts only by its falling edge. To give it one, it is 1
        // in the first evaluation, which sees no edges, and 0 in the second.
        //
        // The first evaluation is done step by step, as eval() does it, because the design is not
        // in reset meanwhile: assertions count in initial blocks, and nowhere else.
        Vdut___024root& root = *m->dut->rootp;
        root.COSIM_RESET_LOW = 1;
        Vdut___024root___eval_static(&root);
        Vdut___024root___eval_initial(&root);
        root.vlSymsp->__Vm_didInit = true;
        m->context->assertOn(false);
        Vdut___024root___eval_settle(&root);
        m->dut->eval();
        m->context->assertOn(true);
        root.COSIM_RESET_LOW = 0;
#endif
        m->dut->eval();
    });
}

int32_t run(cosim_model* m, const uint8_t* in, uint8_t* out, int64_t n) {
    if (m->why != COSIM_RAN) return m->why;
    int64_t rows = 0;
    bool fits = true;
    m->first = m->cycle;
    const int32_t why = guarded(m, [&] {
        while (rows < n) {
            fits = cosim_fits(in);
            if (__builtin_expect(!fits, 0)) return;
            before_row(m, in);
            const cosim_row_times row = next_row(m);
            settle_row(m, row, in, out);
            ++rows;
            in += COSIM_IN_SIZE;
            out += COSIM_OUT_SIZE;
            before_edge(m, row);
            edge(m, row);
            if (__builtin_expect(m->why != COSIM_RAN, 0)) return;
            ++m->cycle;
        }
    });
    if (why != COSIM_RAN || !fits) m->end->rows = rows;
    return fits ? why : COSIM_MISFIT;
}

int32_t settle(cosim_model* m, const uint8_t* in, uint8_t* out) {
    if (m->why != COSIM_RAN) return m->why;
    if (!cosim_fits(in)) return COSIM_MISFIT;
    m->wave.paused = true;  // it is not a cycle
    const int32_t why = guarded(m, [&] { settle_row(m, next_row(m), in, out); });
    m->wave.paused = false;
    return why;
}

void* signal(cosim_model* m, int32_t signal, int32_t part) {
#if COSIM_SIGNALS
    return cosim_signal(*m->dut->rootp->vlSymsp, signal, part);
#else
    return nullptr;
#endif
}

COSIM_ONCE const char* coverage_text(cosim_model* m) {
    static thread_local std::string text;
    text.clear();
    return coverage(m, text) ? text.c_str() : nullptr;
}

COSIM_ONCE int32_t finish(cosim_model* m, int32_t whole) {
    int32_t why = COSIM_RAN;
    if (whole && m->dut && (m->why == COSIM_RAN || m->why == COSIM_FINISH)) {
        m->why = COSIM_RAN;
        why = guarded(m, [&] { m->dut->final(); });
    }
    m->wave.finish();
    return why;
}

void crashed(cosim_model* m) {
    m->end->cycle = m->cycle;
    m->end->rows = static_cast<int64_t>(m->cycle - m->first);
}

const char* records(cosim_model* m) { return m->records.data(); }

void clear(cosim_model* m) {
    m->records.clear();
    m->text = m->errors = 0;
    m->dropped = false;
    m->end->records = 0;
}

COSIM_ONCE void destroy(cosim_model* m) {
    delete m;
}

}  // namespace cosim

extern "C" __attribute__((visibility("default"))) const cosim_api_t cosim_api = {
    cosim::create, cosim::enter, cosim::start, cosim::run, cosim::settle, cosim::signal, cosim::coverage_text, cosim::counters, cosim::finish, cosim::crashed, cosim::records, cosim::clear, cosim::destroy,
};
