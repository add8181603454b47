package expr_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/exprtest"
	"github.com/everyway-go/everyway/internal/sample"
)

// checkBuild compares the simplified expression of a program with the
// program itself, and takes it into another arena.
func checkBuild(t *testing.T, code []byte, seed uint64) {
	tree := exprtest.Program(code)
	a := NewArena()
	x := tree.Build(a)
	if a.Width(x) != tree.Width {
		t.Fatalf("width %d, want %d", a.Width(x), tree.Width)
	}
	if again := tree.Build(a); again != x {
		t.Fatalf("built again, %s is %s", a.String(x), a.String(again))
	}

	if n := a.NumArgs(x); n > 0 {
		args := make([]ID, n)
		for i := range args {
			args[i] = a.Arg(x, i)
		}
		if again := a.Rebuild(a, x, args); again != x {
			t.Fatalf("applied again, %s is %s", a.String(x), a.String(again))
		}
	}

	b := NewArena()
	b.Var("elsewhere", 7)
	y := b.Copy(a, x)
	if a.String(x) != b.String(y) {
		t.Fatalf("copied, %s is %s", a.String(x), b.String(y))
	}

	r := rand.New(rand.NewPCG(seed, 1))
	for range 20 {
		env := map[string]uint64{}
		widths := map[string]uint8{}
		tree.Vars(widths)
		for _, w := range []uint8{1, 3, 8, 13, 32, 64} {
			for _, name := range []string{"x", "y"} {
				v := r.Uint64() >> r.IntN(64)
				if r.IntN(2) == 0 {
					v = -v
				}
				env[fmt.Sprintf("%s%d", name, w)] = v & (^uint64(0) >> (64 - w))
			}
		}
		want := tree.Eval(env)
		if got := a.Eval(x, func(v ID) uint64 { return env[a.VarName(v)] }); got != want {
			t.Fatalf("%s = %d under %v, want %d", a.String(x), got, env, want)
		}
		if got := b.Eval(y, func(v ID) uint64 { return env[b.VarName(v)] }); got != want {
			t.Fatalf("copied, %s = %d under %v, want %d", b.String(y), got, env, want)
		}
	}
}

func TestBuildEval(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range sample.Of(20_000, 6_000, 1_000) {
		checkBuild(t, exprtest.RandomProgram(r), uint64(i))
	}
}

func FuzzBuildEval(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		f.Add(exprtest.RandomProgram(r), r.Uint64())
	}
	f.Fuzz(checkBuild)
}

func TestString(t *testing.T) {
	for _, test := range []struct {
		width uint8
		text  string
		want  string
	}{
		{32, "(<s (add cnt 7) size)", "cnt32 + 7 <s size32"},
		{8, "(sub x 3)", "x8 - 3"},
		{8, "(mul (sub 3 x) 5)", "(3 - x8) * 5"},
		{8, "(not (= x 255))", "x8 != 255"},
		{64, "(= x -1)", "x64 == -1"},
		{8, "(<s -3 x)", "-3 <s x8"},
		{32, "(lshr x 4)", "x32 >> 4"},
		{32, "(ashr x 4)", "x32 >>s 4"},
		{32, "(shl x 4)", "x32 << 4"},
		{32, "(and x 255)", "x32 & 0xff"},
		{8, "(sext 64 x)", "int64(x8)"},
		{8, "(zext 32 x)", "uint32(x8)"},
		{8, "(zext 9 x)", "zext9(x8)"},
		{64, "(extract 0 8 x)", "uint8(x64)"},
		{64, "(extract 8 8 x)", "x64[15:8]"},
		{1, "(and (or x y) (not z))", "(x1 || y1) && !z1"},
		{8, "(ite c:1 x y)", "ite(c1, x8, y8)"},
		{64, "(f< (f* (f+ x 0x3ff8000000000000) y) (fsqrt z))", "(x64 +f 1.5) *f y64 <f sqrt(z64)"},
		{32, "(f<= (fconv 32 y:64) (f/ x 0x3fc00000))", "float32(y64) <=f x32 /f 1.5"},
		{8, "(select (store (table 8 1 2 x 0) i (add x y)) j)", "[1, 2, x8, ...0]{i8: x8 + y8}[j8]"},
		{32, "(ftos 64 (stof 32 x:8))", "trunc64(sfloat32(x8))"},
		{64, "(fround 3 x)", "floor(x64)"},
		{64, "(mulhi x y)", "mulhi(y64, x64)"},
	} {
		a := NewArena()
		x := exprtest.Parse(test.text, test.width).Build(a)
		if got := a.String(x); got != test.want {
			t.Errorf("%s is written %s, want %s", test.text, got, test.want)
		}
	}

	a := NewArena()
	x := a.Var("x", 8)
	for range 1000 {
		x = a.Mul(a.Not(x), a.Add(x, a.Var("y", 8)))
	}
	if s := a.String(x); len(s) > 5000 || !strings.Contains(s, "…") {
		t.Errorf("a big expression is written in %d bytes", len(s))
	}
}

// TestVarWidths checks that variables of different runs that have one name and different widths are
// different, and that the arena forgets those that are released, and no others.
func TestVarWidths(t *testing.T) {
	a := NewArena()
	x := a.Var("x", 8)
	m := a.Mark()
	other := a.VarOfRun("x", 64)
	if x == other || a.Width(x) != 8 || a.Width(other) != 64 || a.VarName(other) != "x" || a.Hash(x) == a.Hash(other) {
		t.Errorf("variables %d and %d of widths %d and %d", x, other, a.Width(x), a.Width(other))
	}
	if again := a.VarOfRun("x", 64); again != other {
		t.Errorf("the second variable is %d, and then %d", other, again)
	}
	a.Release(m)
	if again := a.Var("x", 8); again != x {
		t.Errorf("the first variable is %d, and then %d", x, again)
	}
	a.Var("y", 8)
	if again := a.VarOfRun("x", 64); a.Width(again) != 64 || a.VarName(again) != "x" {
		t.Errorf("the second variable has width %d and name %s when it is made again", a.Width(again), a.VarName(again))
	}
}

func TestVars(t *testing.T) {
	a := NewArena()
	x, y, z := a.Var("x", 8), a.Var("y", 8), a.Var("z", 8)
	sum := a.Mul(a.Add(z, x), a.Not(x))
	for _, test := range []struct {
		x    ID
		want []ID
	}{
		{a.Const(3, 8), nil},
		{y, []ID{y}},
		{sum, []ID{x, z}},
		{sum, []ID{x, z}}, // remembered
		{a.Ult(sum, y), []ID{x, y, z}},
	} {
		if got := a.Vars(nil, test.x); !slices.Equal(got, test.want) {
			t.Errorf("variables of %s: %v, want %v", a.String(test.x), got, test.want)
		}
	}
}

// TestRelease checks that an arena cut back behaves as if what was built since
// the mark had never been.
func TestRelease(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a, b := NewArena(), NewArena()
	for range 200 {
		keep, drop := exprtest.Program(exprtest.RandomProgram(r)), exprtest.Program(exprtest.RandomProgram(r))
		x := keep.Build(a)
		m := a.Mark()
		n := a.Len()
		a.Var("gone", 5)
		a.Vars(nil, drop.Build(a))
		a.Vars(nil, x)
		a.Release(m)
		a.Vars(nil, x)
		if a.Len() != n {
			t.Fatalf("%d expressions after Release, want %d", a.Len(), n)
		}
		if y := keep.Build(b); x != y || a.String(x) != b.String(y) {
			t.Fatalf("%d %s and %d %s", x, a.String(x), y, b.String(y))
		}
	}
	if a.Len() != b.Len() {
		t.Errorf("%d expressions, without releases %d", a.Len(), b.Len())
	}
	a.Var("gone", 6)
}

func TestWidths(t *testing.T) {
	a := NewArena()
	x, y := a.Var("x", 8), a.Var("y", 16)
	for name, f := range map[string]func(){
		"add":          func() { a.Add(x, y) },
		"eq none":      func() { a.Eq(None, None) },
		"not":          func() { a.Not(None) },
		"neg":          func() { a.Neg(None) },
		"const":        func() { a.Const(1, 65) },
		"var":          func() { a.Var("x", 16) },
		"ite":          func() { a.Ite(x, y, y) },
		"extract":      func() { a.Extract(x, 4, 5) },
		"concat":       func() { a.Concat(a.Var("z", 64), x) },
		"zext":         func() { a.ZExt(y, 8) },
		"fadd":         func() { a.FAdd(y, y) },
		"fneg":         func() { a.FNeg(y) },
		"fconv":        func() { a.FConv(a.Var("f", 32), 32) },
		"not array":    func() { a.Not(a.Table(2, nil, x)) },
		"eq arrays":    func() { a.Eq(a.Table(2, nil, x), a.Table(2, nil, x)) },
		"select":       func() { a.Select(a.Table(2, nil, x), x) },
		"select none":  func() { a.Select(x, x) },
		"store":        func() { a.Store(a.Table(8, nil, y), x, x) },
		"table":        func() { a.Table(1, []ID{x, x, x}, x) },
		"table widths": func() { a.Table(8, []ID{y}, x) },
		"ftos":         func() { a.FToS(a.Var("f", 32), 8) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestEvalNested(t *testing.T) {
	a := NewArena()
	x, y := a.Var("x", 8), a.Var("y", 8)
	inner := a.Add(y, a.Const(1, 8))
	outer := a.Add(a.Mul(x, x), y)
	got := a.Eval(outer, func(v ID) uint64 {
		if v == x {
			return a.Eval(inner, func(ID) uint64 { return 6 })
		}
		return 2
	})
	if got != 51 {
		t.Errorf("got %d, want 51", got)
	}
}

// TestDeep goes through every operation with a chain far too high for careless recursion.
func TestDeep(t *testing.T) {
	a := NewArena()
	x, c := a.Var("x", 32), a.Const(3, 32)
	y := x
	for range 100_000 {
		y = a.Mul(a.Add(y, x), c)
	}
	checkDeep(t, a, y)
}

// checkDeep copies and evaluates x.
func checkDeep(t *testing.T, a *Arena, x ID) {
	t.Helper()
	b := NewArena()
	y := b.Copy(a, x)
	if v, w := a.Eval(x, func(ID) uint64 { return 1 }), b.Eval(y, func(ID) uint64 { return 1 }); v != w {
		t.Errorf("%d, copied %d", v, w)
	}
}

func BenchmarkBuild(b *testing.B) {
	a := NewArena()
	x, y := a.Var("x", 64), a.Var("y", 64)
	m := a.Mark()
	b.ReportAllocs()
	for b.Loop() {
		a.Release(m)
		z := x
		for i := range uint64(10) {
			z = a.Add(a.Mul(z, y), a.Const(i, 64))
			a.Ult(z, y)
		}
	}
}

func BenchmarkEval(b *testing.B) {
	a := NewArena()
	x, y := a.Var("x", 64), a.Var("y", 64)
	z := x
	for i := range uint64(10) {
		z = a.Add(a.Mul(z, y), a.Const(i, 64))
	}
	b.ReportAllocs()
	for b.Loop() {
		a.Eval(z, func(ID) uint64 { return 7 })
	}
}

// TestDeepArrays goes through every operation with long chains of stores, of
// values that were read from the chain below, and with a long table.
func TestDeepArrays(t *testing.T) {
	a := NewArena()
	x := a.Var("x", 16)
	elems := make([]ID, 5000)
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
	y := a.Select(array, a.Const(7, 16))
	checkDeep(t, a, y)
	if vars := a.Vars(nil, y); !slices.Equal(vars, []ID{x}) {
		t.Errorf("variables %v", vars)
	}
}
