package lanes

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// A flip-flop keeps the name in its own instance, and loses those of wires that it is a part of.
func TestRegisterNames(t *testing.T) {
	bits := func(all ...string) (list []json.RawMessage) {
		for _, b := range all {
			list = append(list, json.RawMessage(b))
		}
		return list
	}
	flipFlop := func(q ...string) *wordCell {
		return &wordCell{Type: "$sdff", Connections: map[string][]json.RawMessage{"Q": bits(q...)}}
	}
	m := &words{
		Ports: map[string]wordPort{"end_o": {Bits: bits("4")}},
		Cells: map[string]*wordCell{"$procdff$1": flipFlop("2", "3"), `$flatten\u.\v.$procdff$2`: flipFlop("4"), "$and$3": {Type: "$and"}},
		Names: map[string]*wordNames{
			"kind_q":     {Bits: bits("2", "3")},
			"header":     {Bits: bits(`"1"`, "2", "3", "9")}, // with what is no flip-flop
			"u.kind_i":   {Bits: bits("2", "3")},
			"both":       {Bits: bits("2", "3", "4")},
			"end_o":      {Bits: bits("4")},
			"u.ended":    {Bits: bits("4")},
			"u.v.end_q":  {Bits: bits("4")},
			"u.v.result": {Bits: bits("9")},
			"$1":         {Hidden: 1, Bits: bits("2")},
		},
	}
	m.nameRegisters()
	if got, want := slices.Sorted(maps.Keys(m.Names)), []string{"$1", "end_o", "kind_q", "u.v.end_q", "u.v.result"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, not %q", got, want)
	}
}
