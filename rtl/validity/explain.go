package validity

import (
	"fmt"
	"strings"

	"github.com/cosimate/cosimate/engine"
	"github.com/cosimate/cosimate/sim"
)

// Explain says what the board was to do and what it did, in which position, and what was played and
// done last.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	var s strings.Builder
	fmt.Fprintf(&s, "due  %s\nRTL  %s\n", x.Want.words(), x.Got.words())
	out := m.Step(x.In)
	for later := 1; x.Want.Busy && later <= maxBusy; later++ {
		if out = m.Step(x.In); !out.Busy {
			fmt.Fprintf(&s, "due %d cycles later: %s\n", later, out.words())
			break
		}
	}
	fmt.Fprintf(&s, "position %s\n", x.Want.FEN())
	if p, err := x.Want.Setup().Position(); err == nil {
		s.WriteString(p.Board())
	}
	events := m.events(x.Past)
	all := x.Want.Pawns | x.Want.Knights | x.Want.Bishops | x.Want.Rooks | x.Want.Queens | x.Want.Kings
	var later *event // the scan after this one
	shown := 0
	for i := len(events) - 1; i >= 0 && shown < 6; i-- {
		e := &events[i]
		text := e.text
		if e.scan {
			switch {
			case later == nil:
				fmt.Fprintf(&s, "last scan: %s\n", against(e.occupied, all))
			case e.occupied != later.occupied:
				text = "scan: " + against(e.occupied, all)
			}
			later = e
		}
		if text != "" {
			fmt.Fprintf(&s, "before: %s\n", text)
			shown++
		}
	}
	return s.String()
}

// maxBusy is for how many cycles Explain waits for what comes of a busy board.
const maxBusy = 100_000

// event is something that led to a difference: a scan, or what its text says.
type event struct {
	scan     bool
	occupied uint64
	text     string
}

// maxEvents is how many events are kept, the last ones.
const maxEvents = 4096

// events steps the model through the inputs since the reset, and returns what happened last.
func (m *Model) events(past []In) (events []event) {
	m.Reset()
	for i := range past {
		in := &past[i]
		out := m.Step(*in)
		e := event{}
		switch {
		case in.Rst:
			e.text = "reset"
		case in.LoadValid && out.LoadReady:
			e.text = "load of " + in.position.FEN()
		case out.MoveValid:
			e.text = fmt.Sprintf("move %v", out.Move())
		case in.RemoteValid && out.RemoteReady:
			e.text = fmt.Sprintf("remote move %v%v", engine.Square(in.RemoteFrom), engine.Square(in.RemoteTo))
		case in.ScanValid && !out.Busy:
			e.scan, e.occupied = true, in.Occupied
		default:
			continue
		}
		if events = append(events, e); len(events) == 2*maxEvents {
			events = append(events[:0], events[maxEvents:]...)
		}
	}
	return events
}

// against says how a scan differs from what is to stand on the board.
func against(scan, occupied uint64) string {
	var s []string
	if b := occupied &^ scan; b != 0 {
		s = append(s, squares(b)+" empty")
	}
	if b := scan &^ occupied; b != 0 {
		s = append(s, squares(b)+" filled")
	}
	if s == nil {
		return "as the position"
	}
	return strings.Join(s, ", ")
}

// words is what the outputs tell, in one line.
func (o *Out) words() string {
	side := engine.White
	if o.Black {
		side = engine.Black
	}
	s := []string{fmt.Sprintf("%v to move", side), o.State.String()}
	add := func(on bool, format string, args ...any) {
		if on {
			s = append(s, fmt.Sprintf(format, args...))
		}
	}
	add(o.State == Illegal, "%v", o.Reason)
	add(o.State == Over, "%v by %v", o.Result, o.Cause)
	add(o.Restore != 0, "restore %s", squares(o.Restore))
	add(o.Warning, "warning")
	add(o.Check, "check")
	add(o.Show == ShowMove, "shows %v %v", engine.Square(o.ShowFrom), engine.Square(o.ShowTo))
	add(o.Show == ShowCheck || o.Show == ShowPromotion, "shows %v on %v", o.Show, engine.Square(o.ShowFrom))
	add(o.MoveValid, "move %v", o.Move())
	add(o.RemoteDone, "remote answer: %v", o.RemoteReason)
	add(o.RemoteShown, "remote move shown")
	add(o.ClaimRefused, "claim refused")
	add(o.Threefold, "threefold repetition")
	add(o.Fifty, "fifty moves")
	add(o.Offer != 0, "draw offered by %d", o.Offer)
	add(o.Busy, "busy")
	return strings.Join(s, ", ")
}

// squares are the names of the squares in a board word.
func squares(b uint64) string {
	var s []string
	for n := range engine.Square(64) {
		if b>>n&1 != 0 {
			s = append(s, n.String())
		}
	}
	return strings.Join(s, " ")
}
