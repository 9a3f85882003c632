package main

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	list, err := parse("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm g3g6; id \"WAC.001\";\r\n\n" +
		"8/8/8/8/8/5k2/5p2/5K2 b - - acd 3; bm Ke3 Kg3;\n")
	if err != nil || len(list) != 2 || list[0].id != "WAC.001" || list[0].best[0].String() != "g3g6" ||
		list[1].id != "line 3" || len(list[1].best) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	for text, want := range map[string]string{
		"":            "no position",
		"8/8/8/8/8/8": "line 1: ",
		"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Ke8;":     "line 1: ",
		"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - id \"one\";": "there is no operation bm",
		"9/8/8/8/8/8/8/8 w - - bm Ke8;":                                       "line 1: ",
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
