package smtlib_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/exprtest"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/sample"
)

// checkBack takes the expression of a program through text.
func checkBack(t *testing.T, code []byte) {
	a := expr.NewArena()
	x := exprtest.Program(code).Build(a)
	var text strings.Builder
	if err := smtlib.WriteTerm(&text, a, x); err != nil {
		t.Fatal(err)
	}
	if back, err := smtlib.ParseTerm(a, text.String()); err != nil {
		t.Fatalf("%s: %v", text.String(), err)
	} else if back != x {
		t.Fatalf("%s is read back as %s instead of %s", text.String(), a.String(back), a.String(x))
	}
}

func TestBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range sample.Size(20_000, 6_000, 1_000) {
		checkBack(t, exprtest.RandomProgram(r))
	}
}

func FuzzBack(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		f.Add(exprtest.RandomProgram(r))
	}
	f.Fuzz(checkBack)
}

// TestBackDeep takes a chain through text that is far too high for careless recursion.
func TestBackDeep(t *testing.T) {
	a := expr.NewArena()
	x, c := a.Var("x", 32), a.Const(3, 32)
	y := x
	for range 100_000 {
		y = a.Mul(a.Add(y, x), c)
	}
	checkDeep(t, a, y)
}

// TestBackDeepArrays does so with long chains of stores, of values that were read from
// the chain below, and with a table that has to be put together from many terms.
func TestBackDeepArrays(t *testing.T) {
	a := expr.NewArena()
	x := a.Var("x", 16)
	elems := make([]expr.ID, 5000)
	for i := range elems {
		elems[i] = a.Const(uint64(i*i), 16)
	}
	elems[7] = x
	array := a.Table(16, elems, a.Const(3, 16))
	index := x
	for i := range uint64(1_000) {
		array = a.Store(array, index, a.Add(a.Select(array, a.Xor(x, a.Const(i, 16))), x))
		index = a.Mul(a.Add(index, x), x)
	}
	checkDeep(t, a, a.Select(array, a.Const(7, 16)))
}

func checkDeep(t *testing.T, a *expr.Arena, x expr.ID) {
	t.Helper()
	var text bytes.Buffer
	if err := smtlib.WriteTerm(&text, a, x); err != nil {
		t.Fatal(err)
	}
	if back, err := smtlib.ParseTerm(a, text.String()); err != nil || back != x {
		t.Fatalf("read back as another expression, %v", err)
	}
}

func FuzzParseTerm(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		a := expr.NewArena()
		var text bytes.Buffer
		if err := smtlib.WriteTerm(&text, a, exprtest.Program(exprtest.RandomProgram(r)).Build(a)); err != nil {
			f.Fatal(err)
		}
		f.Add(text.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := expr.NewArena()
		x, err := smtlib.ParseTerm(a, text)
		if err != nil {
			return
		}
		var out strings.Builder
		if err := smtlib.WriteTerm(&out, a, x); err != nil {
			t.Fatal(err)
		}
		if y, err := smtlib.ParseTerm(a, out.String()); err != nil || y != x {
			t.Fatalf("%q is written as %q, which reads as %s, %v", text, out.String(), a.String(y), err)
		}
	})
}

// TestVariables checks that names come back, whatever is in them.
func TestVariables(t *testing.T) {
	for _, name := range []string{"x", "", "a b", "|ü%", "x:8", "true", "#b1", "?0", "(", "\"", ";\n\\"} {
		a := expr.NewArena()
		x := a.Not(a.Var(name, 8))
		var text strings.Builder
		if err := smtlib.WriteTerm(&text, a, x); err != nil {
			t.Fatal(err)
		}
		if y, err := smtlib.ParseTerm(a, text.String()); err != nil || y != x {
			t.Errorf("%q is written as %s and read back as %s, %v", name, text.String(), a.String(y), err)
		}
	}
}

// TestParseTerm reads terms that WriteTerm does not write.
func TestParseTerm(t *testing.T) {
	a := expr.NewArena()
	x, y := a.Var("x", 8), a.Var("y", 8)
	for _, test := range []struct {
		text string
		want expr.ID
	}{
		{"(let ((z |x:8|)) (bvadd z #x01))", a.Add(x, a.Const(1, 8))},
		{"(let ((?1 |x:8|)) (bvadd (let ((?1 |y:8|)) (bvnot ?1)) ?1))", a.Add(a.Not(y), x)},
		{"((_ rotate_left 4) |x:8|)", a.Concat(a.Extract(x, 0, 4), a.Extract(x, 4, 4))},
		{"(ite (bvult |x:8| |y:8|) |x:8| (_ bv3 8)) ; the end", a.Ite(a.Ult(x, y), x, a.Const(3, 8))},
	} {
		if got, err := smtlib.ParseTerm(a, test.text); err != nil || got != test.want {
			t.Errorf("%s is %s, %v, want %s", test.text, a.String(got), err, a.String(test.want))
		}
	}
}

func TestParseTermErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "a term expected at the end"},
		{"(", "a parenthesis that is not closed"},
		{"()", "a term expected instead of ()"},
		{"x", "x is not declared"},
		{"#b", "bad width 0"},
		{"#x12345678901234567", smtlib.ErrWide.Error()},
		{"|a|", "|name:width| expected"},
		{"|a:0|", "bad width"},
		{"|a:65|", "bad width"},
		{"|a%4:8|", "bad escape"},
		{"(bvadd |a:8| |a:9|)", "has width 8 already"},
		{"(bvadd |a:8| |b:9|)", "(_ BitVec 8) expected, not (_ BitVec 9)"},
		{"(concat |a:33| |b:32|)", smtlib.ErrWide.Error()},
		{"(bvnot |a:8|", "a parenthesis that is not closed"},
		{"(bvnot |a:8|) #b1", "#b1 after the term"},
		{"(bvult |a:8| |b:8|)", "a bit-vector expected, not Bool"},
		{"(bvnot (bvult |a:8| |b:8|))", "a bit-vector expected, not Bool"},
		{"((_ extract 8 0) |a:8|)", "extract of bits 0 to 8 from width 8"},
		{"((_ zero_extend 60) |a:8|)", smtlib.ErrWide.Error()},
		{"((_ rotate 1) |a:8|)", "the operator rotate is not supported"},
		{"(ite (= #b1 |a:8|) #b1 #b0)", "(_ BitVec 1) expected, not (_ BitVec 8)"},
		{"(ite (bvadd |a:8| |b:8|) #b1 #b0)", "a Bool expected"},
		{"(f64.add |a:64| |b:32|)", "f64.add of width 32"},
		{"(f64.sqrt |a:32|)", "f64.sqrt of width 32"},
		{"(f16.add |a:16| |b:16|)", "the operator f16.add is not supported"},
		{"(f64.from_f64 |a:64|)", "the operator f64.from_f64 is not supported"},
		{"(s16.from_f64 |a:64|)", "the operator s16.from_f64 is not supported"},
		{"(f64.from_u065 |a:64|)", "the operator f64.from_u065 is not supported"},
		{"((_ extract 100 50) (bvmul ((_ zero_extend 50) |a:50|) ((_ zero_extend 50) |b:50|)))", smtlib.ErrWide.Error()},
		{"((_ extract 99 50) (bvmul ((_ zero_extend 50) |a:50|) ((_ zero_extend 50) |b:51|)))", "product of widths 50 and 51"},
		{"((_ extract 99 50) |a:50|)", "extract of bits 50 to 99 from width 50"},
		{"(select |a:8| |b:8|)", "an array with what fits into it expected"},
		{"(bvnot ((as const (Array (_ BitVec 2) (_ BitVec 8))) |a:8|))", "a bit-vector expected, not (Array (_ BitVec 2) (_ BitVec 8))"},
		{"(select ((as const (Array (_ BitVec 2) (_ BitVec 8))) |a:8|) |b:8|)", "an array with what fits into it expected, not (_ BitVec 8)"},
		{"(store ((as const (Array (_ BitVec 2) (_ BitVec 8))) |a:8|) #b01 |b:4|)", "an array with what fits into it expected, not (_ BitVec 4)"},
		{"(store ((as const (Array (_ BitVec 2) (_ BitVec 8))) |a:8|) #b01)", "store with 2 operands"},
		{"(store |a:8| #b01 #b01)", "an array with what fits into it expected"},
		{"((as const (Array (_ BitVec 2) (_ BitVec 9))) |a:8|)", "(Array (_ BitVec 2) (_ BitVec 9)) made of width 8"},
		{"((as const (Array (_ BitVec 65) (_ BitVec 8))) |a:8|)", smtlib.ErrWide.Error()},
		{strings.Repeat("(bvnot ", 200_000) + "#b1" + strings.Repeat(")", 200_000), "nested more than"},
	} {
		_, err := smtlib.ParseTerm(expr.NewArena(), test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("ParseTerm(%.50q): error %v, want %q", test.text, err, test.want)
		}
	}
}
