package expr

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

// ports are the ports of the expressions in tests.
var ports = map[string]int{"a": 4, "b": 8, "c": 1}

func known(name string) (int, error) { return ports[name], nil }

// random returns a random number of some bits, at most 30.
func random(r *rand.Rand, width int) *big.Int { return big.NewInt(int64(r.IntN(1 << width))) }

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
	digits := func(l Value) string {
		text := ""
		for i := l.Width - 1; i >= 0; i-- {
			text += map[bool]string{true: "x", false: fmt.Sprint(l.Bits.Bit(i))}[l.Unknown.Bit(i) == 1]
		}
		return fmt.Sprintf("%d'b%s", l.Width, text)
	}
	for range 400 {
		text := randomExpr(r, 3)
		if strings.ContainsAny(text, "+*-/%") {
			text = strings.NewReplacer("(-(", "(0-(").Replace(text)
		}
		e, err := Parse(text, known)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if arithmetic(e) {
			continue
		}
		values := map[string]Value{}
		for name, width := range ports {
			hidden := new(big.Int)
			if r.IntN(2) == 0 {
				hidden = new(big.Int).And(random(r, width), random(r, width))
			}
			values[name] = Value{width, new(big.Int).AndNot(random(r, width), hidden), hidden}
			fmt.Fprintf(&b, "    %s = %s;\n", name, digits(values[name]))
		}
		fmt.Fprintf(&b, "    $display(\"%%b\", !(!(%s)));\n", text)
		truth := e.Eval(func(n string) Value { return values[n] }).Truth()
		want = append(want, fmt.Sprintf("%s of %s with a %s, b %s, c %s", map[Truth]string{No: "0", Yes: "1", Unknown: "x"}[truth], text, digits(values["a"]), digits(values["b"]), digits(values["c"])))
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

// arithmetic reports whether an expression has an operation whose result depends on the width that
// Verilog gives it by its context.
func arithmetic(e *Expr) bool {
	found := false
	e.Walk(func(n *Expr) bool {
		switch n.Op {
		case "+", "-", "*", "/", "%", "u-", "u~", "~^", "===", "!==":
			found = true
		}
		return !found
	})
	return found
}

// Arithmetic, and what Verilog does not have.
func TestExpr(t *testing.T) {
	values := map[string]Value{"a": {4, big.NewInt(13), new(big.Int)}, "b": {8, big.NewInt(200), new(big.Int)}, "c": {1, new(big.Int), big.NewInt(1)}}
	for text, want := range map[string]Truth{
		"a == 13": Yes, "a + 1 == 14": Yes, "a + 4'd3 == 0": Yes, "b - a == 187": Yes, "a * 2 < b && b / 3 == 66": Yes, "b % 7 == 4": Yes, "b / 0 == 1": Unknown,
		"~a == 4'd2": Yes, "-a == 4'd3": Yes, "a << 1 == 10": Yes, "b >> 3 == 25": Yes, "a[3:2] == 3": Yes, "a[b[0]] == 1": Yes,
		"c": Unknown, "c === 1'bx": Yes, "c || a": Yes, "c && !a": No, "c -> a": Yes, "a -> c": Unknown, "a == 0 -> c": Yes, "1 -> 0 -> 0": Yes,
		"c ? a : a": Yes, "c ? a == 13 : b == 200": Yes, "^b": Yes, "~^b": No, "a ~^ a": Yes, "0xff == 255 && 0b11 == 3 && 1_0 == 010": Yes,
		"!(a & b) || (a | b) != 0": Yes, "c + 1 == 1": Unknown, "&a[1:0]": No, "4'b1x01 == a": Unknown, "4'b0x01 == a": No,
	} {
		e, err := Parse(text, known)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.Eval(func(n string) Value { return values[n] }).Truth(); got != want {
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
		e, err := Parse(text, known)
		if wrong, ok := errors.AsType[*Error](err); err != nil && (!ok || wrong.At < 0 || wrong.At > len(text) || wrong.Problem == "") {
			t.Fatalf("%q: %#v", text, err)
		}
		if err == nil {
			e.Eval(func(string) Value { return Value{4, big.NewInt(5), big.NewInt(2)} })
		}
	})
}
