package perftengine

import "github.com/cosimate/cosimate/sim"

// Explain says which job was under way and what was counted last: in the cycle before, as sums show
// a cycle later.
func (m *Model) Explain(x sim.Mismatch[In, Out]) string {
	text, job := "", ""
	m.Reset()
	for i, in := range x.Past {
		if i == len(x.Past)-1 {
			text = job + m.explain()
		}
		if out := m.Step(in); out.JobReady && in.JobValid {
			job = "last job offered: " + in.position.FEN() + "\n"
		}
	}
	return text
}
