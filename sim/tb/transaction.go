package tb

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/cosimate/cosimate/sim/report"
)

// Item is something that a process has done: what a driver has sent, a monitor seen, a scoreboard
// expected or got. The page of a failure lists the last items and draws them with the waves.
type Item struct {
	Who   string // whose row it is in; empty: the process's
	What  string // in one word: "sent", "saw"
	Value any    // is shown as [Show] writes it
	From  int    // the first of its cycles; the last is the one done last
	Wrong bool   // it is what the failure is about
}

// Show returns a value in words. Unsigned integers are in hexadecimal, too, as in waveforms: "114
// (0x72)".
func Show(v any) string {
	if _, named := v.(fmt.Stringer); !named && reflect.ValueOf(v).CanUint() {
		return fmt.Sprintf("%d (%#[1]x)", reflect.ValueOf(v).Uint())
	}
	return fmt.Sprint(v)
}

// keptItems is how many items of each row are kept.
const keptItems = 16

// row is the last items of one who.
type row struct {
	who      string
	n        int // items so far
	items    [keptItems]kept
	shape    reflect.Type // of the last value
	constant bool         // values of this type are
}

// kept is an item in a row. Its value is written in words only when it is shown, as most are not.
type kept struct {
	number int // of the items of the row
	Item
	to   int
	open bool // is under way
}

// Note keeps an item, which ends in the cycle done last.
func (p *Process) Note(i Item) { p.keep(i).to = max(p.cycle, 0) }

// Begin keeps an item that begins in the coming cycle, or if the process is a monitor, in the one
// done last. It is under way until [Transaction.End]; if the process fails before that, or waits in
// vain, the item is what the failure is about.
func (p *Process) Begin(what string, value any) Transaction {
	from := p.cycle
	if p.role != monitor {
		from++
	}
	k := p.keep(Item{What: what, Value: value, From: from})
	k.open = true
	return Transaction{p.scheduler, k, k.number}
}

// Transaction is an item that is under way.
type Transaction struct {
	s      *scheduler
	k      *kept
	number int
}

// End says that the item has ended in the cycle done last.
func (t Transaction) End() {
	if t.k.number == t.number { // it has not been forgotten
		t.k.open, t.k.to = false, max(t.s.cycle, t.k.From)
	}
}

func (p *Process) keep(i Item) *kept {
	if i.Who == "" {
		i.Who = p.name
	}
	r := p.lastRow
	if r == nil || r.who != i.Who {
		r = p.row(i.Who)
		p.lastRow = r
	}
	if t := reflect.TypeOf(i.Value); t != r.shape {
		r.shape, r.constant = t, p.constant(t)
	}
	if !r.constant {
		i.Value = Show(i.Value) // as it may be another one later
	}
	i.From = max(i.From, 0)
	k := &r.items[r.n%keptItems]
	*k = kept{number: r.n, Item: i}
	r.n++
	return k
}

func (s *scheduler) row(who string) *row {
	r := s.rows[who]
	if r == nil {
		r = &row{who: who, constant: true}
		if s.rows == nil {
			s.rows = map[string]*row{}
		}
		s.rows[who] = r
	}
	return r
}

// constant reports whether values of a type cannot change once they are copied.
func (s *scheduler) constant(t reflect.Type) bool {
	if t == nil {
		return true
	}
	known, ok := s.constants[t]
	if ok {
		return known
	}
	switch t.Kind() {
	case reflect.Struct:
		known = true
		for i := range t.NumField() {
			known = known && s.constant(t.Field(i).Type)
		}
	case reflect.Array:
		known = s.constant(t.Elem())
	case reflect.String:
		known = true
	default:
		known = t.Kind() <= reflect.Complex128
	}
	if s.constants == nil {
		s.constants = map[reflect.Type]bool{}
	}
	s.constants[t] = known
	return known
}

// transactions returns the last items, in the order of their cycles. Those are wrong, too, that are
// under way in a process that has failed; if failed is "", no process has, and all wait in vain.
func (s *scheduler) transactions(failed string) (all []report.Transaction) {
	for _, r := range s.rows {
		for number := max(0, r.n-keptItems); number < r.n; number++ {
			k := &r.items[number%keptItems]
			t := report.Transaction{Who: r.who, What: k.What, From: uint64(k.From), To: uint64(k.to), Bad: k.Wrong || k.open && (failed == "" || failed == r.who)}
			if k.open {
				t.To = uint64(max(s.cycle, k.From))
			}
			if k.Value != nil {
				t.What += " " + Show(k.Value)
			}
			all = append(all, t)
		}
	}
	slices.SortStableFunc(all, func(a, b report.Transaction) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From), cmp.Compare(a.Who, b.Who))
	})
	return all
}

// withTransactions is an error of a bench, with the last items.
type withTransactions struct {
	error
	last []report.Transaction
}

func (e withTransactions) Unwrap() error                      { return e.error }
func (e withTransactions) Transactions() []report.Transaction { return e.last }

// Transactions returns what processes and scoreboards have done last.
func (e *ProcessError) Transactions() []report.Transaction { return e.last }

// Transactions returns what processes and scoreboards have done last.
func (e *StuckError) Transactions() []report.Transaction { return e.last }
