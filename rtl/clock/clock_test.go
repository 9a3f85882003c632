package clock_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/rtl/clock"
	"github.com/cosimate/cosimate/rtl/clock/codes"
	"github.com/cosimate/cosimate/sim"
)

type dut = sim.DUT[clock.In, clock.Out]

// design returns the RTL with so many cycles a second.
func design(hz int) sim.Design {
	d := clock.Design
	d.Params = map[string]string{"ClockHz": fmt.Sprint(hz)}
	return d
}

// games returns random games. They are short, as times of a few cycles are loaded. Presses and
// commands come at any time; most are allowed in the present state.
func games(hz int, seed, stream uint64, cycles int, resets float64) iter.Seq[clock.In] {
	return func(yield func(clock.In) bool) {
		r := rand.New(rand.NewPCG(seed, stream))
		m := clock.NewModel(hz)
		out := clock.Out{}
		for range cycles {
			in := clock.In{
				Rst: r.Float64() < resets, Press: r.IntN(40) == 0, CmdValid: r.IntN(12) == 0,
				Cmd: codes.Command(r.IntN(8)), Side: clock.Side(r.IntN(2)), Control: clock.Control(r.IntN(4)),
				Increment: uint8(r.IntN(256)), Time: codes.Digits(r.IntN(1 << 20)),
			}
			if r.IntN(2) == 0 {
				in.Increment = uint8(r.IntN(10)<<4 | r.IntN(10))
			}
			switch r.IntN(8) {
			case 0, 1, 2: // short
				in.Time = codes.DigitsOf(1 + r.IntN(15))
			case 3, 4:
				in.Time = codes.DigitsOf(1 + r.IntN(59_999))
			case 5: // 0, a digit before a borrow, or almost the greatest time
				in.Time = codes.DigitsOf([]int{0, 1, 10, 11, 100, 600, 601, 6000, 6001, 36_000, 36_001, 59_999, 59_900, 57_001, 57_000, 56_999}[r.IntN(16)])
			}
			left := out.Cycles(out.Turn, hz)
			switch {
			case out.State == clock.Running && left <= 2: // the flag is about to fall
				in.Press, in.CmdValid = r.IntN(3) == 0, r.IntN(2) == 0
			case out.State == clock.Running && left < 2*hz && r.IntN(10) > 0: // mostly let it fall
				in.Press, in.CmdValid = false, false
			case out.State != clock.Running && r.IntN(4) == 0: // go on
				in.CmdValid = true
				in.Cmd = [...]codes.Command{clock.Ready: codes.CmdStart, clock.Paused: codes.CmdResume, clock.Over: codes.CmdSet}[out.State]
				if out.State == clock.Ready && r.IntN(2) == 0 {
					in.Cmd = codes.CmdLoad
				}
			}
			m.Step(in)
			out = m.Out()
			if !yield(in) {
				return
			}
		}
	}
}

// rare has the events that the stimulus must contain.
var rare = []string{
	"White's flag", "Black's flag", "a press with the last cycle", "a press with one cycle left after it", "a pause with the last cycle",
	"five minutes with the last cycle", "a new game with the last cycle", "a load with the last cycle",
	"a press with a pause", "a press with five minutes for the same side", "a full clock",
	"error 1", "error 2", "error 3", "error 4", "error 5", "error 6", "error 7",
	"a press when ready", "a press when paused", "a press when over", "bullet", "blitz", "rapid", "classical",
}

// happened counts events in the inputs and outputs of cycles.
func happened(in []clock.In, out []clock.Out, hz int) map[string]int {
	seen := map[string]int{}
	for i := range in[:len(in)-1] {
		o, next := out[i], out[i+1]
		note := func(what string, yes bool) {
			if yes && !in[i].Rst {
				seen[what]++
			}
		}
		left := o.Cycles(o.Turn, hz)
		last := o.State == clock.Running && left == 1
		command := func(c codes.Command) bool { return in[i].CmdValid && in[i].Cmd == c }
		note("White's flag", o.Flag == 0 && next.Flag == 1)
		note("Black's flag", o.Flag == 0 && next.Flag == 2)
		note("a press with the last cycle", last && in[i].Press)
		note("a press with one cycle left after it", o.State == clock.Running && left == 2 && in[i].Press)
		note("a pause with the last cycle", last && command(codes.CmdPause))
		note("five minutes with the last cycle", last && command(codes.CmdAdd))
		note("a new game with the last cycle", last && command(codes.CmdSet))
		note("a load with the last cycle", last && command(codes.CmdLoad))
		note("a press with a pause", o.State == clock.Running && in[i].Press && command(codes.CmdPause))
		note("a press with five minutes for the same side", o.State == clock.Running && in[i].Press && command(codes.CmdAdd) && in[i].Side == o.Turn)
		note("a full clock", next.WhiteTime == 0x99599 && o.WhiteTime != 0x99599)
		note(fmt.Sprintf("error %d", next.Error), true)
		note("a press when "+o.State.String(), in[i].Press)
		note(next.Control.String(), true)
	}
	return seen
}

// Every output is compared with the model in every cycle of random games.
func TestGames(t *testing.T) {
	for _, hz := range []int{10, 70} {
		t.Run(fmt.Sprintf("hz=%d", hz), func(t *testing.T) {
			in := slices.Collect(games(hz, sim.Seed(), 1, 300_000, 0.0005))
			m := clock.NewModel(hz)
			var out []clock.Out
			for _, i := range in {
				out = append(out, m.Step(i))
			}
			seen := happened(in, out, hz)
			for _, what := range rare {
				if seen[what] == 0 {
					t.Errorf("%s: never", what)
				}
			}
			sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
				in := in
				if d.Simulator() == sim.Icarus {
					in = in[:40_000]
				}
				sim.Check(t, d, clock.NewModel(hz), slices.Values(in))
			})
		})
	}
}

// sums returns so many short games. In each a side has any time, and soon after that it presses, or
// gets five minutes, or both: so all carries from digit to digit come, and all borrows.
func sums(hz int, seed, stream uint64, games int) iter.Seq[clock.In] {
	return func(yield func(clock.In) bool) {
		r := rand.New(rand.NewPCG(seed, stream))
		digit := func(base int) int {
			if r.IntN(2) == 0 {
				return r.IntN(2) * (base - 1)
			}
			return r.IntN(base)
		}
		for range games {
			side := clock.Side(r.IntN(2))
			in := []clock.In{
				clock.Set(clock.Control(r.IntN(4)), 10*digit(10)+digit(10)),
				clock.Load(side, ((10*digit(10)+digit(10))*60+10*digit(6)+digit(10))*10+digit(10)),
				clock.Start(side),
			}
			in = append(in, wait(r.IntN(1+hz/10))...)
			for range 1 + r.IntN(3) {
				next := clock.In{}
				if r.IntN(2) == 0 {
					next = clock.Do(codes.CmdAdd, clock.Side(r.IntN(2)))
				}
				next.Press = r.IntN(2) == 0
				in = append(in, next)
			}
			in[0].Rst, in[0].Press = r.IntN(50) == 0, r.IntN(4) == 0
			for _, i := range append(in, clock.In{}) {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// Every output is compared with the model in every cycle while times of any digits are added to and
// counted down.
func TestSums(t *testing.T) {
	for _, hz := range []int{10, 70} {
		t.Run(fmt.Sprintf("hz=%d", hz), func(t *testing.T) {
			sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
				games := 10_000
				if d.Simulator() == sim.Icarus {
					games /= 20
				}
				sim.Check(t, d, clock.NewModel(hz), sums(hz, sim.Seed(), 4, games))
			})
		})
	}
}

// play resets the RTL, plays the inputs and one cycle more without any, and returns the outputs.
func play(t *testing.T, d *dut, in ...clock.In) []clock.Out {
	t.Helper()
	if err := d.Reset(3); err != nil {
		t.Fatal(err)
	}
	in = append(in, clock.In{})
	out := make([]clock.Out, len(in))
	if err := d.Run(in, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// wait returns so many cycles without presses and commands.
func wait(cycles int) []clock.In { return make([]clock.In, cycles) }

// Each time control sets its time, and the flag falls after exactly as many cycles. Settings can be
// read back.
func TestControls(t *testing.T) {
	const hz = 10
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		for control, seconds := range []int{60, 300, 600, 1800} {
			for side := range clock.Side(2) {
				in := []clock.In{clock.Set(clock.Control(control), 10*control+3), clock.Start(side)}
				out := play(t, d, append(in, wait(seconds*hz)...)...)
				first, last := out[2], out[len(out)-1]
				if first.Control != clock.Control(control) || first.Increment != uint8(16*control+3) || first.Turn != side {
					t.Errorf("%v: settings read back as %+v", clock.Control(control), first)
				}
				if first.Cycles(clock.White, hz) != seconds*hz || first.Cycles(clock.Black, hz) != seconds*hz {
					t.Errorf("%v: begins with %v and %v", clock.Control(control), first.WhiteTime, first.BlackTime)
				}
				if before := out[len(out)-2]; before.State != clock.Running || before.Flag != 0 || before.Cycles(side, hz) != 1 {
					t.Errorf("%v: in its last cycle %+v", clock.Control(control), before)
				}
				if last.State != clock.Over || last.Flag != 1<<side || last.Cycles(side, hz) != 0 || last.Cycles(1-side, hz) != seconds*hz {
					t.Errorf("%v: after it %+v", clock.Control(control), last)
				}
			}
		}
	})
}

// A press in the cycle in which the flag falls is too late: there is no increment, and the turn
// does not change. A press one cycle earlier is in time.
func TestPressAsTheFlagFalls(t *testing.T) {
	const hz = 70
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		for side := range clock.Side(2) {
			for early := range 3 {
				in := []clock.In{clock.Set(clock.Bullet, 7), clock.Load(side, 5), clock.Start(side)}
				in = append(in, wait(5*hz/10-1-early)...)
				out := play(t, d, append(in, clock.Press())...)
				got := out[len(out)-1]
				if early == 0 {
					if got.State != clock.Over || got.Flag != 1<<side || got.Turn != side || got.Cycles(side, hz) != 0 {
						t.Errorf("pressed with the last cycle: %+v", got)
					}
				} else if got.State != clock.Running || got.Flag != 0 || got.Turn != 1-side || got.Cycles(side, hz) != early+7*hz {
					t.Errorf("pressed with %d cycles left: %+v", early, got)
				}
			}
		}
	})
}

// The flag falls at the end of the last tenth, and of no other. Times that differ from it in one
// digit are each counted down to the end of their tenth, for both sides.
func TestNotTheLastTenth(t *testing.T) {
	const hz = 70
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		for _, side := range []clock.Side{clock.White, clock.Black} {
			for digit, top := range []int{9, 9, 5, 9, 9} {
				for value := range top + 1 {
					load := clock.Load(side, 1)
					load.Time = load.Time&^(15<<(4*digit)) | codes.Digits(value<<(4*digit))
					if load.Time == 0 {
						continue
					}
					out := play(t, d, append([]clock.In{load, clock.Start(side)}, wait(hz/10)...)...)
					got := out[len(out)-1]
					if left := got.Cycles(side, hz); left != (load.Time.Tenths()-1)*hz/10 || (got.State == clock.Over) != (left == 0) {
						t.Errorf("%v has %v, and after a tenth %d cycles: %+v", side, load.Time, left, got)
					}
				}
			}
		}
	})
}

// Commands in the cycle in which the flag falls are too late as well, except for a new game.
func TestCommandAsTheFlagFalls(t *testing.T) {
	const hz = 70
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		for _, c := range []struct {
			in   clock.In
			want codes.Error
		}{
			{clock.Do(codes.CmdPause, clock.White), codes.ErrNotRunning},
			{clock.Do(codes.CmdResume, clock.White), codes.ErrNotPaused},
			{clock.Do(codes.CmdAdd, clock.White), codes.ErrOver},
			{clock.Do(codes.CmdStop, clock.White), codes.ErrOver},
			{clock.Start(clock.White), codes.ErrNotReady},
			{clock.Load(clock.White, 600), codes.ErrOver},
			{clock.Set(clock.Blitz, 0), codes.NoError},
		} {
			in := append([]clock.In{clock.Load(clock.White, 1), clock.Start(clock.White)}, wait(hz/10-1)...)
			out := play(t, d, append(in, c.in)...)
			got := out[len(out)-1]
			if got.Error != c.want {
				t.Errorf("command %d: error %v, not %v", c.in.Cmd, got.Error, c.want)
			}
			if fell := got.State == clock.Over && got.Flag == 1; fell != (c.want != codes.NoError) {
				t.Errorf("command %d: %+v", c.in.Cmd, got)
			}
		}
	})
}

// No cycle is lost or gained in games with presses and pauses at any time. For each side, the time
// that it had and got is the time that it has used and has left. The cycles used are counted from
// state_o, turn_o and the presses alone.
func TestNoDrift(t *testing.T) {
	const hz = 70
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		r := rand.New(rand.NewPCG(sim.Seed(), 2))
		in := []clock.In{clock.Set(clock.Blitz, 2), clock.Start(clock.White)}
		cycles := 200_000
		if d.Simulator() == sim.Icarus {
			cycles = 20_000
		}
		for range cycles {
			switch r.IntN(400) {
			case 0, 1:
				in = append(in, clock.Press())
			case 2:
				in = append(in, clock.Do(codes.CmdPause, clock.White))
			case 3, 4, 5:
				in = append(in, clock.Do(codes.CmdResume, clock.White))
			default:
				in = append(in, clock.In{})
			}
		}
		out := play(t, d, in...)
		left := [2]int{300 * hz, 300 * hz}
		moves := 0
		for i := 2; i < len(out)-1; i++ {
			if out[i].State != clock.Running {
				continue
			}
			left[out[i].Turn]--
			if in[i].Press && left[out[i].Turn] > 0 {
				left[out[i].Turn] += 2 * hz
				moves++
			}
		}
		last := out[len(out)-1]
		if got := [2]int{last.Cycles(clock.White, hz), last.Cycles(clock.Black, hz)}; got != left {
			t.Errorf("left are %d cycles, and %d should be", got, left)
		}
		if moves < cycles/1000 {
			t.Errorf("only %d moves", moves)
		}
	})
}

// With pause the present cycle is the last that counts. After start and resume the next cycle is
// the first.
func TestPause(t *testing.T) {
	const hz = 70
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		pause, resume := clock.Do(codes.CmdPause, clock.White), clock.Do(codes.CmdResume, clock.White)
		// running from cycle 2 on
		in := slices.Concat([]clock.In{clock.Set(clock.Bullet, 0), clock.Start(clock.Black)},
			wait(3), []clock.In{pause}, wait(50), []clock.In{resume}, wait(2))
		out := play(t, d, in...)
		if got := out[len(out)-1]; got.Cycles(clock.Black, hz) != 60*hz-4-2 || got.Cycles(clock.White, hz) != 60*hz || got.State != clock.Running {
			t.Errorf("after 4 cycles, a pause and 2 more: %+v", got)
		}
		if got := out[30]; got.State != clock.Paused || got.Cycles(clock.Black, hz) != 60*hz-4 {
			t.Errorf("paused: %+v", got)
		}
	})
}

// Five minutes can be added for one side at any time of a game, up to 99:59.9.
func TestFiveMinutes(t *testing.T) {
	const hz = 70
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		add := clock.Do(codes.CmdAdd, clock.Black)
		in := []clock.In{clock.Set(clock.Classical, 0)}
		for range 16 {
			in = append(in, add)
		}
		out := play(t, d, in...)
		for i, o := range out[1:] {
			want := min(30*600+i*3000, 59_999)
			if o.BlackTime != codes.DigitsOf(want) || o.WhiteTime != codes.DigitsOf(30*600) {
				t.Errorf("%d times five minutes: Black has %v, White %v", i, o.BlackTime, o.WhiteTime)
			}
		}
		if last := out[len(out)-1]; last.BlackTime.String() != "99:59.9" || last.Error != codes.NoError {
			t.Errorf("full: %+v", last)
		}
		// While the clock runs, the cycle of the command counts too.
		out = play(t, d, clock.Set(clock.Bullet, 0), clock.Start(clock.Black), clock.In{}, add)
		if got := out[len(out)-1].Cycles(clock.Black, hz); got != 360*hz-2 {
			t.Errorf("Black has %d cycles, not %d", got, 360*hz-2)
		}
	})
}

// A saved game goes on with its times, which are loaded.
func TestSavedGame(t *testing.T) {
	const hz = 70
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		out := play(t, d, clock.Set(clock.Rapid, 5), clock.Load(clock.White, 12_345), clock.Load(clock.Black, 6_789), clock.Start(clock.Black), clock.In{})
		got := out[len(out)-1]
		if got.WhiteTime.String() != "20:34.5" || got.Cycles(clock.Black, hz) != 6_789*hz/10-1 || got.Turn != clock.Black {
			t.Errorf("%+v: White has %v, Black %v", got, got.WhiteTime, got.BlackTime)
		}
	})
}

// Increments of any size carry into the minutes. An increment that is no decimal number is refused.
func TestIncrements(t *testing.T) {
	const hz = 10
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		r := rand.New(rand.NewPCG(sim.Seed(), 3))
		for increment := range 100 {
			tenths := 2 + r.IntN(59_000)
			out := play(t, d, clock.Set(clock.Bullet, increment), clock.Load(clock.White, tenths), clock.Start(clock.White), clock.Press())
			if got, want := out[len(out)-1].WhiteTime, codes.DigitsOf(min(tenths-1+10*increment, 59_999)); got != want {
				t.Errorf("%v and %d seconds: %v, not %v", codes.DigitsOf(tenths-1), increment, got, want)
			}
		}
		for _, bad := range []uint8{0x0a, 0xa0, 0xff} {
			set := clock.Set(clock.Bullet, 0)
			set.Increment = bad
			if got := play(t, d, set)[1]; got.Error != codes.ErrBadIncrement || got.Control != clock.Rapid {
				t.Errorf("increment %02X: %+v", bad, got)
			}
		}
	})
}

// A load of what is no time is refused, and the time stays as it was.
func TestBadTimes(t *testing.T) {
	sim.ForEach(t, design(10), func(t *testing.T, d *dut) {
		for _, bad := range []codes.Digits{0, 0x0a000, 0xa0000, 0x00600, 0x000a0, 0x0000a} {
			load := clock.Load(clock.White, 1)
			load.Time = bad
			if got := play(t, d, load)[1]; got.Error != codes.ErrBadTime || got.WhiteTime.String() != "10:00.0" {
				t.Errorf("%v: %+v", bad, got)
			}
		}
	})
}

// The digits go down by one tenth at a time, from 99:59.9 to the flag.
func TestDigits(t *testing.T) {
	const hz = 10
	sim.ForEach(t, design(hz), func(t *testing.T, d *dut) {
		from := 59_999
		if d.Simulator() == sim.Icarus {
			from = 6_010
		}
		in := append([]clock.In{clock.Load(clock.White, from), clock.Start(clock.White)}, wait(from)...)
		out := play(t, d, in...)
		for i, o := range out[2:] {
			tenths := from - i
			want := fmt.Sprintf("%02d:%02d.%d", tenths/600, tenths/10%60, tenths%10)
			if o.WhiteTime.String() != want {
				t.Fatalf("after %d tenths: %v, not %s", i, o.WhiteTime, want)
			}
		}
	})
}

// At the real 100 MHz: some cycles of hectic games, and in Verilator a flag after a tenth of a
// second to the cycle.
func TestRealClock(t *testing.T) {
	sim.ForEach(t, clock.Design, func(t *testing.T, d *dut) {
		sim.Check(t, d, clock.NewModel(clock.Hz), games(clock.Hz, sim.Seed(), 4, 20_000, 0.001))
		if d.Simulator() == sim.Icarus {
			return
		}
		const tenth = clock.Hz / 10
		in := slices.Concat([]clock.In{clock.Load(clock.Black, 1), clock.Start(clock.Black)}, wait(tenth+1))
		sim.Check(t, d, clock.NewModel(clock.Hz), slices.Values(in))
		out, err := d.Step(clock.In{})
		if err != nil || out.Flag != 2 {
			t.Errorf("%+v, %v", out, err)
		}
	})
}

// A frequency that has no whole tenths ends the simulation with the parameter's name.
func TestParameters(t *testing.T) {
	for _, hz := range []int{9, 0, 1001} {
		d := sim.OpenTest[clock.In, clock.Out](t, design(hz), sim.Icarus)
		if _, err := d.Step(clock.In{}); err == nil || !strings.Contains(err.Error(), "ClockHz") {
			t.Errorf("%d Hz: %v", hz, err)
		}
	}
}

func ExampleModel() {
	m := clock.NewModel(10)
	for _, in := range []clock.In{clock.Set(clock.Blitz, 3), clock.Start(clock.White), {}, {}, clock.Press(), {}, {}} {
		out := m.Step(in)
		fmt.Println(out.State, out.Turn, "to move:", out.WhiteTime, out.BlackTime)
	}
	// Output:
	// ready White to move: 10:00.0 10:00.0
	// ready White to move: 05:00.0 05:00.0
	// running White to move: 05:00.0 05:00.0
	// running White to move: 04:59.9 05:00.0
	// running White to move: 04:59.8 05:00.0
	// running Black to move: 05:02.7 05:00.0
	// running Black to move: 05:02.7 04:59.9
}
