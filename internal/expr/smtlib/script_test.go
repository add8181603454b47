package smtlib_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/exprtest"
	"github.com/everyway-go/everyway/internal/expr/smtlib"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestScriptOperators compares operators with what the definition of the logic says of
// them, for all operands of some widths.
func TestScriptOperators(t *testing.T) {
	const w = 3
	mask := uint64(1)<<w - 1
	signed := func(x uint64) int64 { return int64(x<<(64-w)) >> (64 - w) }
	bit := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	for _, test := range []struct {
		term string
		want func(x, y uint64) uint64
	}{
		{"(bvnot x)", func(x, y uint64) uint64 { return ^x & mask }},
		{"(bvneg x)", func(x, y uint64) uint64 { return -x & mask }},
		{"(bvand x y)", func(x, y uint64) uint64 { return x & y }},
		{"(bvor x y x)", func(x, y uint64) uint64 { return x | y }},
		{"(bvxor x y x)", func(x, y uint64) uint64 { return y }},
		{"(bvnand x y)", func(x, y uint64) uint64 { return ^(x & y) & mask }},
		{"(bvnor x y)", func(x, y uint64) uint64 { return ^(x | y) & mask }},
		{"(bvxnor x y)", func(x, y uint64) uint64 { return ^(x ^ y) & mask }},
		{"(bvadd x y x)", func(x, y uint64) uint64 { return (x + y + x) & mask }},
		{"(bvsub x y)", func(x, y uint64) uint64 { return (x - y) & mask }},
		{"(bvmul x y x)", func(x, y uint64) uint64 { return x * y * x & mask }},
		{"(bvudiv x y)", func(x, y uint64) uint64 {
			if y == 0 {
				return mask
			}
			return x / y
		}},
		{"(bvurem x y)", func(x, y uint64) uint64 {
			if y == 0 {
				return x
			}
			return x % y
		}},
		{"(bvsdiv x y)", func(x, y uint64) uint64 {
			switch {
			case y != 0:
				return uint64(signed(x)/signed(y)) & mask
			case signed(x) < 0:
				return 1
			}
			return mask
		}},
		{"(bvsrem x y)", func(x, y uint64) uint64 {
			if y == 0 {
				return x
			}
			return uint64(signed(x)%signed(y)) & mask
		}},
		{"(bvsmod x y)", func(x, y uint64) uint64 {
			if y == 0 {
				return x
			}
			m := signed(x) % signed(y)
			if m != 0 && (m < 0) != (signed(y) < 0) {
				m += signed(y)
			}
			return uint64(m) & mask
		}},
		{"(bvshl x y)", func(x, y uint64) uint64 { return x << y & mask }},
		{"(bvlshr x y)", func(x, y uint64) uint64 { return x >> y }},
		{"(bvashr x y)", func(x, y uint64) uint64 { return uint64(signed(x)>>y) & mask }},
		{"((_ zero_extend 0) (bvcomp x y))", func(x, y uint64) uint64 { return bit(x == y) }},
		{"(concat x y ((_ extract 2 1) x))", func(x, y uint64) uint64 { return x<<5 | y<<2 | x>>1 }},
		{"((_ zero_extend 2) x)", func(x, y uint64) uint64 { return x }},
		{"((_ sign_extend 2) x)", func(x, y uint64) uint64 { return uint64(signed(x)) & 31 }},
		{"((_ repeat 3) x)", func(x, y uint64) uint64 { return x | x<<3 | x<<6 }},
		{"((_ rotate_left 1) x)", func(x, y uint64) uint64 { return (x<<1 | x>>2) & mask }},
		{"((_ rotate_left 5) x)", func(x, y uint64) uint64 { return (x<<2 | x>>1) & mask }},
		{"((_ rotate_right 1) x)", func(x, y uint64) uint64 { return (x>>1 | x<<2) & mask }},
		{"((_ rotate_right 3) x)", func(x, y uint64) uint64 { return x }},
		{"(ite (bvult x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(x < y) }},
		{"(ite (bvule x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(x <= y) }},
		{"(ite (bvugt x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(x > y) }},
		{"(ite (bvuge x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(x >= y) }},
		{"(ite (bvslt x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(signed(x) < signed(y)) }},
		{"(ite (bvsle x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(signed(x) <= signed(y)) }},
		{"(ite (bvsgt x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(signed(x) > signed(y)) }},
		{"(ite (bvsge x y) #b1 #b0)", func(x, y uint64) uint64 { return bit(signed(x) >= signed(y)) }},
		{"(ite (= x y #b101) #b1 #b0)", func(x, y uint64) uint64 { return bit(x == 5 && y == 5) }},
		{"(ite (distinct x y #b101) #b1 #b0)", func(x, y uint64) uint64 { return bit(x != y && x != 5 && y != 5) }},
		{"(ite (=> (= x #b001) (= y #b001) (= x y)) #b1 #b0)", func(x, y uint64) uint64 { return bit(x != 1 || y != 1 || x == y) }},
		{"(ite (xor (= x #b001) (= y #b001) true) #b1 #b0)", func(x, y uint64) uint64 { return bit((x == 1) == (y == 1)) }},
		{"(ite (and (= x #b001) (or (= y (_ bv2 3)) false) (not (= x y))) #b1 #b0)", func(x, y uint64) uint64 { return bit(x == 1 && y == 2) }},
		{"(let ((x y) (y x)) (bvsub x y))", func(x, y uint64) uint64 { return (y - x) & mask }},
		{"(! (let ((z (bvadd x y))) (let ((x z)) x)) :named here)", func(x, y uint64) uint64 { return (x + y) & mask }},
		{"(minus y x)", func(x, y uint64) uint64 { return (y - x) & mask }},
		{"(let ((x y)) (twice y))", func(x, y uint64) uint64 { return 2 * y & mask }},
		{"(select (store ((as const (Array (_ BitVec 3) (_ BitVec 3))) x) y #b110) x)", func(x, y uint64) uint64 {
			if x == y {
				return 6
			}
			return x
		}},
	} {
		// Bit by bit, whatever the width of the result is.
		for i := range 9 {
			a := expr.NewArena()
			queries, err := smtlib.ParseScript(a, fmt.Sprintf(`
				(declare-fun x () (_ BitVec 3)) ; a comment (
				(declare-const |y| (_ BitVec 3))
				(define-fun minus ((a (_ BitVec 3)) (x (_ BitVec 3))) (_ BitVec 3) (bvsub a x))
				(define-fun twice ((a (_ BitVec 3))) (_ BitVec 3) (let ((b a)) (bvadd a b)))
				(assert (= ((_ extract %d %d) %s) #b1))
				(check-sat)`, i, i, test.term))
			if err != nil {
				if i == 0 || !strings.Contains(err.Error(), "extract of bits") {
					t.Errorf("%s: %v", test.term, err)
				}
				break
			}
			for x := range mask + 1 {
				for y := range mask + 1 {
					got := a.Eval(queries[0].Conj[0], func(v expr.ID) uint64 { return map[string]uint64{"x": x, "y": y}[a.VarName(v)] })
					if want := test.want(x, y) >> i & 1; got != want {
						t.Errorf("%s for %d and %d: bit %d is %d, want %d", test.term, x, y, i, got, want)
					}
				}
			}
		}
	}
}

// TestScript checks the query at each check-sat.
func TestScript(t *testing.T) {
	a := expr.NewArena()
	queries, err := smtlib.ParseScript(a, `
		(set-logic QF_BV)
		(set-info :status sat)
		(set-info :source |a (quoted) text|)
		(declare-fun p () Bool)
		(declare-const x (_ BitVec 8))
		(assert p)
		(check-sat)
		(push 1)
		(declare-const y (_ BitVec 4))
		(assert (= ((_ extract 3 0) x) y))
		(push)
		(assert (not p))
		(set-info :status unsat)
		(check-sat)
		(pop 2)
		(declare-const y (_ BitVec 8))
		(define-const z (_ BitVec 8) (bvadd x y))
		(assert (bvult z #x0f))
		(check-sat-assuming ((not p)))
		(get-model)
		(reset)
		(declare-const p (_ BitVec 1))
		(assert (= p #b1))
		(check-sat)
		(exit)
		(this is not read)`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range queries {
		var conj []string
		for _, x := range q.Conj {
			conj = append(conj, a.String(x))
		}
		got = append(got, q.Status+": "+strings.Join(conj, ", "))
	}
	p, x := a.Var("p", 1), a.Var("x", 8)
	other := queries[2].Conj[1]
	var y expr.ID
	for _, v := range a.Vars(nil, other) {
		if v != x {
			y = v
		}
	}
	if a.Width(y) != 8 {
		t.Errorf("the second y has width %d", a.Width(y))
	}
	for i, want := range [][]expr.ID{
		{p},
		{p, a.Eq(a.Extract(x, 0, 4), a.Var("y", 4)), a.Not(p)},
		{p, a.Ult(a.Add(x, y), a.Const(15, 8)), a.Not(p)},
		{p},
	} {
		if !slices.Equal(queries[i].Conj, want) {
			t.Errorf("query %d is %s", i, got[i])
		}
	}
	for i, want := range []string{"sat", "unsat", "", ""} {
		if queries[i].Status != want {
			t.Errorf("query %d: status %q, want %q", i, queries[i].Status, want)
		}
	}
}

// TestScriptBack checks that what WriteScript writes is read back as it was, into the same
// arena and into another.
func TestScriptBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range sample.Size(5_000, 1_500, 250) {
		a := expr.NewArena()
		var conj []expr.ID
		for range 1 + r.IntN(3) {
			x := exprtest.Program(exprtest.RandomProgram(r)).Build(a)
			conj = append(conj, a.Ne(x, a.Const(0, a.Width(x))))
		}
		var text strings.Builder
		if err := smtlib.WriteScript(&text, a, conj); err != nil {
			t.Fatal(err)
		}
		queries, err := smtlib.ParseScript(a, text.String())
		if err != nil {
			t.Fatalf("%s: %v", text.String(), err)
		}
		if !slices.Equal(queries[0].Conj, conj) {
			t.Fatalf("%s is read as something else", text.String())
		}
		b := expr.NewArena()
		if queries, err = smtlib.ParseScript(b, text.String()); err != nil {
			t.Fatal(err)
		}
		for i, x := range queries[0].Conj {
			if got, want := b.String(x), a.String(conj[i]); got != want {
				t.Fatalf("%s is read back as %s", want, got)
			}
		}
	}
}

func TestScriptErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"x", "a command expected"},
		{"()", "a command expected"},
		{"(frobnicate)", `line 1: "frobnicate" is not supported`},
		{"\n(assert", "line 2: a parenthesis that is not closed"},
		{"(check-sat))", "a parenthesis that is not opened"},
		{"(echo \"", "a quotation mark that is not closed"},
		{"(assert ||)", "a symbol without characters"},
		{"(assert)", "assert with 0 operands"},
		{"(pop 1)", "pop of 1 levels of 0"},
		{"(push x)", "a number expected"},
		{"(declare-const x Real)", "a sort that is not supported"},
		{"(declare-const x (_ BitVec 0))", "bad width 0"},
		{"(declare-const x (_ BitVec 65))", smtlib.ErrWide.Error()},
		{"(declare-const x (Array (_ BitVec 8) (_ BitVec 8)))", "a variable for an array"},
		{"(declare-fun f (Bool) Bool)", "only declared"},
		{"(define-fun f ((x Bool)) Bool x) (assert (f #b1))", "Bool expected, not (_ BitVec 1)"},
		{"(define-fun f ((x Bool)) Bool x) (assert (f))", "f with 0 operands"},
		{"(define-fun f () Bool #b1)", "is defined as Bool and has sort (_ BitVec 1)"},
		{"(assert #b1)", "a Bool expected, not (_ BitVec 1)"},
		{"(assert (and true x))", "x is not declared"},
		{"(assert (and true #b1))", "a Bool expected"},
		{"(assert (= true #b1))", "Bool expected, not (_ BitVec 1)"},
		{"(assert (bvult #b1 #b10))", "(_ BitVec 1) expected, not (_ BitVec 2)"},
		{"(assert (bvult #b1 true))", "a bit-vector expected, not Bool"},
		{"(assert (bvult #b1))", "bvult with 1 operands"},
		{"(assert (ite #b1 true true))", "a Bool expected"},
		{"(assert (ite true #b1 true))", "(_ BitVec 1) expected, not Bool"},
		{"(assert (f true))", "the operator f is not supported"},
		{"(assert ((_ f 1) #b1))", "the operator f is not supported"},
		{"(assert ((_ extract 1 0) #b1))", "extract of bits 0 to 1 from width 1"},
		{"(assert (= #x1 (_ bv16 4)))", "bad constant bv16 of width 4"},
		{"(assert (= #xg #x0))", "bad constant #xg"},
		{"(assert (= (concat #x123456789abcdef0 #b1) #b1))", smtlib.ErrWide.Error()},
		{"(assert (= ((_ zero_extend 61) #x1) #b1))", smtlib.ErrWide.Error()},
		{"(assert (= ((_ repeat 0) #x1) #b1))", "bad width 0"},
		{"(assert (let ((x true) y) x))", "a symbol and a term expected"},
		{"(assert (let ((x true)) (let ((y x)) y) x))", "let with 3 operands"},
		{"(assert (= ((_ extract 79 40) (bvmul ((_ zero_extend 40) #x1) ((_ zero_extend 40) #x1))) #x1))", "product of widths 4 and 4"},
		{"(assert (= ((_ extract 79 39) (bvmul ((_ zero_extend 40) #x1) ((_ zero_extend 40) #x1))) #x1))", "bits 39 to 79 from width 44"},
		{"(assert (select true #b1))", "an array with what fits into it expected"},
	} {
		_, err := smtlib.ParseScript(expr.NewArena(), test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("ParseScript(%q): error %v, want %q", test.text, err, test.want)
		}
		if test.want == smtlib.ErrWide.Error() && !errors.Is(err, smtlib.ErrWide) {
			t.Errorf("ParseScript(%q): error %v is not ErrWide", test.text, err)
		}
	}
}

func FuzzScript(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 10 {
		a := expr.NewArena()
		var text strings.Builder
		x := exprtest.Program(exprtest.RandomProgram(r)).Build(a)
		if err := smtlib.WriteScript(&text, a, []expr.ID{a.Ne(x, a.Const(0, a.Width(x)))}); err != nil {
			f.Fatal(err)
		}
		f.Add(text.String())
	}
	f.Add("(declare-const x Bool)(push)(define-fun f ((y Bool)) Bool (=> y x))(assert (! (f x) :named g))(check-sat)(pop)")
	f.Fuzz(func(t *testing.T, text string) {
		a := expr.NewArena()
		queries, err := smtlib.ParseScript(a, text)
		if err != nil {
			return
		}
		for _, q := range queries {
			var text strings.Builder
			if err := smtlib.WriteScript(&text, a, q.Conj); err != nil {
				t.Fatal(err)
			}
			again, err := smtlib.ParseScript(a, text.String())
			if err != nil || !slices.Equal(again[0].Conj, q.Conj) {
				t.Fatalf("%s is read back as %v, %v", text.String(), again, err)
			}
		}
	})
}
