#include "output.h"

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "verilated.h"

namespace cosim {

__thread Output* current = nullptr;

void note(int why, const char* file, int line, const char* message) {
    Output* m = current;
    if (m->why != COSIM_RAN) return;
    m->why = m->end->why = why;
    m->end->line = line;
    m->end->cycle = m->cycle;
    snprintf(m->end->file, sizeof m->end->file, "%s", file);
    snprintf(m->end->message, sizeof m->end->message, "%s", message);
}

// How many bytes a model may print before the host reads them. More is dropped, but for errors:
// these are kept, and more than COSIM_MAX_ERRORS bytes of them end the run.
constexpr size_t kMaxText = 1 << 20;

// A record while it is made. The destructor fills in its size.
class Record {
  public:
    Record(Output* m, int32_t kind) : m_records(m->records), m_start(m_records.size()) {
        const cosim_record header{kind, 0, m->cycle};
        m_records.append(reinterpret_cast<const char*>(&header), sizeof header);
    }
    ~Record() {
        const int32_t size = static_cast<int32_t>(m_records.size() - m_start - sizeof(cosim_record));
        std::memcpy(&m_records[m_start + offsetof(cosim_record, size)], &size, sizeof size);
    }
    Record& add(uint64_t n) {
        m_records.append(reinterpret_cast<const char*>(&n), sizeof n);
        return *this;
    }
    Record& add(const char* s, size_t n) {
        add(n);
        m_records.append(s, n);
        return *this;
    }
    Record& add(const char* s) { return add(s, std::strlen(s)); }

  private:
    std::string& m_records;
    const size_t m_start;
};

static void text(Output* m, const char* s, size_t n) {
    // "[15] %Error: fifo.sv:12: ..." is remembered for vl_stop_maybe. Text that was displayed just
    // before can come before it in the same string.
    const char* place = std::strstr(s, "] %Error: ");
    if (!place) place = std::strstr(s, "] %Fatal: ");
    if (place) m->printed = std::string(place + 3, std::strcspn(place + 3, "\n"));
    if (!m->dropped && m->text + n <= kMaxText) {
        m->text += n;
        Record(m, COSIM_TEXT).add(s, n);
        return;
    }
    if (!m->dropped) {
        m->dropped = true;
        Record(m, COSIM_LOG).add("").add("warning").add("more output was dropped, but for errors: it came faster than it was read");
    }
    if (!place) return;
    m->errors += n;
    if (m->errors > COSIM_MAX_ERRORS) {
        note(COSIM_FLOOD, "", 0, "");
        throw Stop{};
    }
    Record(m, COSIM_TEXT).add(s, n);
}

}  // namespace cosim

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
    if (n > 0) cosim::text(cosim::current, s, n);
}

thread_local unsigned cosim_shared_count;

void cosim_looping() {
    cosim::Output* m = cosim::current;
    const uint64_t now = cosim::nanoseconds();
    if (m->loop_start == 0 || m->loop_now != m->now) {
        m->loop_start = now;
        m->loop_now = m->now;
    } else if (now - m->loop_start > m->options.timeout) {
        cosim::note(COSIM_HUNG, "", 0, "");
        throw cosim::Stop{};
    }
}

void vl_finish(const char* file, int line, const char*) VL_MT_UNSAFE {
    cosim::note(COSIM_FINISH, file, line, "");
    Verilated::threadContextp()->gotFinish(true);
}

// Verilator calls this for $stop. It also calls it after it has printed a $fatal, $error or failed
// assertion, and 5.006 does not say for which of them. After $error and a failed assertion the
// simulation goes on.
void vl_stop_maybe(const char* file, int line, const char*, bool maybe) VL_MT_UNSAFE {
    cosim::Output* m = cosim::current;
    const char* base = std::strrchr(file, '/');
    const std::string place = std::string(": ") + (base ? base + 1 : file) + ":" + std::to_string(line) + ":";
    const bool printed = m->printed.find(place) != std::string::npos;
    const bool fatal = printed && (!maybe || m->printed.compare(0, 5, "Fatal") == 0 || cosim_is_fatal(file, line));
    if (printed) {
        m->printed.clear();
        cosim::Record(m, COSIM_PLACE).add(file).add(line);
        if (!fatal) return;
    }
    cosim::note(fatal ? COSIM_FATAL : COSIM_STOP, file, line, "");
    throw cosim::Stop{};
}

void vl_stop(const char* file, int line, const char* scope) VL_MT_UNSAFE { vl_stop_maybe(file, line, scope, false); }

void vl_fatal(const char* file, int line, const char*, const char* message) VL_MT_UNSAFE {
    cosim::note(COSIM_ERROR, file, line, message);
    throw cosim::Stop{};
}

// RTL calls Go: the DPI side of cosim.svh.
extern "C" {

void cosim_dpi_log(const char* scope, const char* severity, const char* text) {
    cosim::Record(cosim::current, COSIM_LOG).add(scope).add(severity).add(text);
}

void cosim_dpi_event(const char* scope, const char* name, int values, unsigned long long a, unsigned long long b, unsigned long long c, unsigned long long d) {
    if (!cosim::current->options.events) return;
    cosim::Record(cosim::current, COSIM_EVENT).add(scope).add(name).add(values).add(a).add(b).add(c).add(d);
}

unsigned long long cosim_dpi_ask(const char* scope, const char* name, unsigned long long a) {
    cosim::Output* m = cosim::current;
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
