package tb_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim"
	"github.com/cosimate/cosimate/sim/report"
	"github.com/cosimate/cosimate/sim/tb"
)

// The error of a bench has the last items of each row, with their cycles, as they were.
func TestTransactions(t *testing.T) {
	type pair struct{ A, B int }
	for _, c := range []struct {
		name  string
		start func(b bench)
		want  []string // who, cycles, what, and ! if it is wrong
	}{
		{"driver and monitor", func(b bench) {
			b.Monitor("watch", func(p *tb.Process) {
				p.Wait(3)
				p.Note(tb.Item{What: "saw", Value: uint16(0x1ff), From: p.Cycle() - 2})
				p.Begin("sees", "more")
				p.Wait(100)
			})
			b.Go("drive", func(p *tb.Process) {
				first := p.Begin("sends", uint8(7))
				p.Wait(2)
				first.End()
				p.Begin("sends", uint8(8))
				p.Wait(2)
				p.Failf("no luck")
			})
		}, []string{"drive 2–3 sends 7 (0x7)", "watch 2–4 saw 511 (0x1ff)", "drive 4–5 sends 8 (0x8) !", "watch 4–5 sees more"}},
		{"all wait in vain", func(b bench) {
			b.Go("drive", func(p *tb.Process) {
				p.Begin("sends", pair{1, -2})
				p.Until(3, func() bool { return false })
			})
		}, []string{"drive 2–4 sends {1 -2} !"}},
		{"values that change, or are none", func(b bench) {
			b.Go("drive", func(p *tb.Process) {
				p.Next()
				packet, number := []byte{1, 2}, 5
				p.Note(tb.Item{What: "sent", Value: packet, From: p.Cycle()})
				packet[0] = 9
				p.Note(tb.Item{Who: "board", What: "got", Value: number, From: p.Cycle(), Wrong: true})
				p.Note(tb.Item{What: "idles", From: p.Cycle()})
				p.Failf("no luck")
			})
		}, []string{"board 2–2 got 5 !", "drive 2–2 sent [1 2]", "drive 2–2 idles"}},
		{"many", func(b bench) {
			b.Go("drive", func(p *tb.Process) {
				first := p.Begin("sends", -1)
				for i := range 40 {
					p.Next()
					p.Note(tb.Item{What: "sent", Value: i, From: p.Cycle()})
				}
				first.End() // has long been forgotten
				p.Failf("no luck")
			})
		}, func() (all []string) {
			for i := 24; i < 40; i++ {
				all = append(all, fmt.Sprintf("drive %d–%d sent %d", i+2, i+2, i))
			}
			return all
		}()},
	} {
		t.Run(c.name, func(t *testing.T) {
			dut := sim.OpenTest[echoIn, echoOut](t, echo, sim.Verilator)
			if err := dut.Reset(2); err != nil {
				t.Fatal(err)
			}
			b := tb.New(dut)
			c.start(b)
			err := b.Run(100)
			var last interface{ Transactions() []report.Transaction }
			if !errors.As(err, &last) {
				t.Fatalf("the error has no transactions: %v", err)
			}
			var got []string
			for _, i := range last.Transactions() {
				line := fmt.Sprintf("%s %d–%d %s", i.Who, i.From, i.To, i.What)
				if i.Bad {
					line += " !"
				}
				got = append(got, line)
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
