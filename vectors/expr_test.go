package vectors

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// exprPorts are the ports of the expressions in tests.
var exprPorts = map[string]int{"a": 4, "b": 8, "c": 1}

func exprKnown(name string) (int, error) { return exprPorts[name], nil }

// randomExpr returns a random expression that Verilog understands in the same way.
func randomExpr(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(6) == 0 {
		return []string{"a", "b", "c", "4'd9", "8'hc3", "a[2]", "b[6:3]", "2'b1x", "b[a]", "1'b0", "1'b1"}[r.IntN(11)]
	}
	sub := func() string { return randomExpr(r, depth-1) }
	if r.IntN(4) == 0 {
		return []string{"!", "~", "-", "&", "|", "^", "~&", "~|", "~^"}[r.IntN(9)] + "(" + sub() + ")"
	}
	if r.IntN(8) == 0 {
		return "(" + sub() + " ? " + sub() + " : " + sub() + ")"
	}
	ops := []string{"&&", "||", "&", "|", "^", "==", "!=", "===", "!==", "<", "<=", ">", ">=", "+", "*", "-", "%", "/"}
	return "(" + sub() + " " + ops[r.IntN(len(ops))] + " " + sub() + ")"
}

// Whether an expression is true is as Icarus says, with X too. Arithmetic is of 64 bits on both
// sides, so that widths of contexts, which are Verilog's own, make no difference.
func TestExprIcarus(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("module t; reg [3:0] a; reg [7:0] b; reg c;\n  initial begin\n")
	var want []string
	digits := func(l logic) string {
		text := ""
		for i := l.width - 1; i >= 0; i-- {
			text += map[bool]string{true: "x", false: fmt.Sprint(l.bits.Bit(i))}[l.unknown.Bit(i) == 1]
		}
		return fmt.Sprintf("%d'b%s", l.width, text)
	}
	for range 400 {
		text := randomExpr(r, 3)
		if strings.ContainsAny(text, "+*-/%") {
			text = strings.NewReplacer("(-(", "(0-(").Replace(text)
		}
		e, err := parseExpr(text, exprKnown)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if arithmetic(e) {
			continue
		}
		values := map[string]logic{}
		for name, width := range exprPorts {
			hidden := new(big.Int)
			if r.IntN(2) == 0 {
				hidden = new(big.Int).And(randomBits(r, width), randomBits(r, width))
			}
			values[name] = logic{width, new(big.Int).AndNot(randomBits(r, width), hidden), hidden}
			fmt.Fprintf(&b, "    %s = %s;\n", name, digits(values[name]))
		}
		fmt.Fprintf(&b, "    $display(\"%%b\", !(!(%s)));\n", text)
		truth := e.eval(func(n string) logic { return values[n] }).truth()
		want = append(want, fmt.Sprintf("%s of %s with a %s, b %s, c %s", map[truthText]string{0: "0", 1: "1", 2: "x"}[truthText(truth)], text, digits(values["a"]), digits(values["b"]), digits(values["c"])))
	}
	b.WriteString("  end\nendmodule\n")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "t.v"), filepath.Join(dir, "t.vvp")
	if err := os.WriteFile(source, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("iverilog", "-g2012", "-o", program, source).CombinedOutput()
	if err == nil {
		out, err = exec.Command("vvp", "-n", program).CombinedOutput()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := strings.Fields(string(out))
	if len(got) != len(want) || len(want) < 100 {
		t.Fatalf("%d results for %d", len(got), len(want))
	}
	seen := map[string]int{}
	for i := range want {
		seen[got[i]]++
		if !strings.HasPrefix(want[i], got[i]+" ") {
			t.Errorf("Icarus has %s, we have %s", got[i], want[i])
		}
	}
	if seen["0"] < 20 || seen["1"] < 20 || seen["x"] < 20 {
		t.Errorf("the results are all alike: %v", seen)
	}
}

type truthText int

// arithmetic reports whether an expression has an operation whose result depends on the width that
// Verilog gives it by its context.
func arithmetic(e *expr) bool {
	found := false
	e.walk(func(n *expr) bool {
		switch n.op {
		case "+", "-", "*", "/", "%", "u-", "u~", "~^", "===", "!==":
			found = true
		}
		return !found
	})
	return found
}

// Arithmetic, and what Verilog does not have.
func TestExpr(t *testing.T) {
	values := map[string]logic{"a": {4, big.NewInt(13), new(big.Int)}, "b": {8, big.NewInt(200), new(big.Int)}, "c": {1, new(big.Int), big.NewInt(1)}}
	for text, want := range map[string]truth{
		"a == 13": yes, "a + 1 == 14": yes, "a + 4'd3 == 0": yes, "b - a == 187": yes, "a * 2 < b && b / 3 == 66": yes, "b % 7 == 4": yes, "b / 0 == 1": unknown,
		"~a == 4'd2": yes, "-a == 4'd3": yes, "a << 1 == 10": yes, "b >> 3 == 25": yes, "a[3:2] == 3": yes, "a[b[0]] == 1": yes,
		"c": unknown, "c === 1'bx": yes, "c || a": yes, "c && !a": no, "c -> a": yes, "a -> c": unknown, "a == 0 -> c": yes, "1 -> 0 -> 0": yes,
		"c ? a : a": yes, "c ? a == 13 : b == 200": yes, "^b": yes, "~^b": no, "a ~^ a": yes, "0xff == 255 && 0b11 == 3 && 1_0 == 010": yes,
		"!(a & b) || (a | b) != 0": yes, "c + 1 == 1": unknown, "&a[1:0]": no, "4'b1x01 == a": unknown, "4'b0x01 == a": no,
	} {
		e, err := parseExpr(text, exprKnown)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.eval(func(n string) logic { return values[n] }).truth(); got != want {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
}

// No text makes the parser of expressions panic, and its errors have a place in the text.
func FuzzExpr(f *testing.F) {
	for _, text := range []string{"!(a & b)", "a[3:0] == 4'b1x0z", "u.g[3].n -> c ? 1 : 0", "((((", "8'", "~|~&~^a", "a[b[a[b[1]]]]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := parseExpr(text, exprKnown)
		if wrong, ok := errors.AsType[*exprError](err); err != nil && (!ok || wrong.at < 0 || wrong.at > len(text) || wrong.problem == "") {
			t.Fatalf("%q: %#v", text, err)
		}
		if err == nil {
			e.eval(func(string) logic { return logic{4, big.NewInt(5), big.NewInt(2)} })
		}
	})
}
