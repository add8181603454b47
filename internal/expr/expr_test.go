package expr_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	. "github.com/everyway-go/everyway/internal/expr"
)

// program reads bytes as instructions of a stack machine that builds trees.
// Every program is valid; widths are brought together by extension and
// extraction.
func program(code []byte) *tree {
	widths := []uint8{1, 3, 8, 13, 32, 64}
	var stack []*tree
	pop := func() *tree {
		if len(stack) == 0 {
			return &tree{op: Var, width: 8, name: "x8"}
		}
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		return t
	}
	next := func() byte {
		if len(code) == 0 {
			return 0
		}
		b := code[0]
		code = code[1:]
		return b
	}
	fit := func(t *tree, width uint8) *tree {
		switch {
		case t.width > width:
			return &tree{op: Extract, width: width, args: []*tree{t}}
		case t.width < width:
			return &tree{op: ZExt, width: width, args: []*tree{t}}
		}
		return t
	}
	for steps := 0; len(code) > 0 && steps < 60; steps++ {
		switch op := Op(next()%uint8(FRound)) + 1; op {
		case Const:
			w := widths[int(next())%len(widths)]
			var b [8]byte
			for i := range b {
				b[i] = byte(int8(next()) >> (i % 2 * 7)) // small and extreme values are likely
			}
			v := binary.LittleEndian.Uint64(b[:])
			if next()%2 == 0 {
				v = uint64(int64(int8(b[0])))
			}
			stack = append(stack, &tree{op: Const, width: w, value: v & (^uint64(0) >> (64 - w))})
		case Var:
			w := widths[int(next())%len(widths)]
			stack = append(stack, &tree{op: Var, width: w, name: fmt.Sprintf("%c%d", 'x'+next()%2, w)})
		case Not, Neg:
			x := pop()
			stack = append(stack, &tree{op: op, width: x.width, args: []*tree{x}})
		case Ite:
			c, x, y := fit(pop(), 1), pop(), pop()
			y = fit(y, x.width)
			stack = append(stack, &tree{op: op, width: x.width, args: []*tree{c, x, y}})
		case Extract:
			x := pop()
			lo := next() % x.width
			stack = append(stack, &tree{op: op, width: 1 + next()%(x.width-lo), lo: lo, args: []*tree{x}})
		case Concat:
			x, y := pop(), pop()
			if int(x.width)+int(y.width) > 64 {
				x, y = fit(x, min(x.width, 32)), fit(y, min(y.width, 32))
			}
			stack = append(stack, &tree{op: op, width: x.width + y.width, args: []*tree{x, y}})
		case ZExt, SExt:
			x := pop()
			stack = append(stack, &tree{op: op, width: x.width + next()%(65-x.width), args: []*tree{x}})
		case Table, Store: // an array of a few elements, stored into and used at once
			index := uint8(1 + next()%3)
			table := &tree{op: Table, width: 8, lo: index}
			for range 1 + next()%(1<<index) {
				table.args = append(table.args, fit(pop(), 8))
			}
			array := table
			for range next() % 4 {
				array = &tree{op: Store, width: 8, lo: index, args: []*tree{array, fit(pop(), index), fit(pop(), 8)}}
			}
			stack = append(stack, &tree{op: Select, width: 8, args: []*tree{array, fit(pop(), index)}})
		case Select: // of a big table
			table := &tree{op: Table, width: 16, lo: 8}
			for i := range 100 + int(next()%150) {
				table.args = append(table.args, &tree{op: Const, width: 16, value: uint64(i*i+i%7*int(next())) % (1 << 16)})
			}
			stack = append(stack, &tree{op: Select, width: 16, args: []*tree{table, fit(pop(), 8)}})
		case FAdd, FMul, FDiv, FEq, FLt, FLe:
			width := 32 + next()%2*32
			x, y := fit(pop(), width), fit(pop(), width)
			t := &tree{op: op, width: width, args: []*tree{x, y}}
			if op >= FEq && op <= FLe {
				t.width = 1
			}
			stack = append(stack, t)
		case FSqrt, FConv, FToS, FRound:
			width := 32 + next()%2*32
			t := &tree{op: op, width: width, args: []*tree{fit(pop(), width)}}
			if op == FConv || op == FToS && next()%2 == 0 {
				t.width = 96 - width
			}
			if op == FRound {
				t.lo = next() % uint8(ToZero+1)
			}
			stack = append(stack, t)
		case SToF, UToF:
			stack = append(stack, &tree{op: op, width: 32 + next()%2*32, args: []*tree{pop()}})
		default:
			x, y := pop(), pop()
			t := &tree{op: op, width: x.width, args: []*tree{x, fit(y, x.width)}}
			if op >= Eq && op <= Sle {
				t.width = 1
			}
			stack = append(stack, t)
		}
	}
	return pop()
}

func randomProgram(r *rand.Rand) []byte {
	code := make([]byte, 10+r.IntN(90))
	for i := range code {
		code[i] = byte(r.Uint32())
	}
	return code
}

// checkBuild compares the simplified expression of a program with the
// program itself, and takes it through SMT-LIB text and into another arena.
func checkBuild(t *testing.T, code []byte, seed uint64) {
	tree := program(code)
	a := NewArena()
	x := tree.build(a)
	if a.Width(x) != tree.width {
		t.Fatalf("width %d, want %d", a.Width(x), tree.width)
	}
	if again := tree.build(a); again != x {
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

	var text strings.Builder
	if err := a.SMT(&text, x); err != nil {
		t.Fatal(err)
	}
	if back, err := Parse(a, text.String()); err != nil {
		t.Fatalf("%s: %v", text.String(), err)
	} else if back != x {
		t.Fatalf("%s is read back as %s instead of %s", text.String(), a.String(back), a.String(x))
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
		tree.vars(widths)
		for _, w := range []uint8{1, 3, 8, 13, 32, 64} {
			for _, name := range []string{"x", "y"} {
				v := r.Uint64() >> r.IntN(64)
				if r.IntN(2) == 0 {
					v = -v
				}
				env[fmt.Sprintf("%s%d", name, w)] = v & (^uint64(0) >> (64 - w))
			}
		}
		want := tree.eval(env)
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
	n := 20_000
	if testing.Short() {
		n = 2_000
	}
	for i := range n {
		checkBuild(t, randomProgram(r), uint64(i))
	}
}

func FuzzBuildEval(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10 {
		f.Add(randomProgram(r), r.Uint64())
	}
	f.Fuzz(checkBuild)
}

func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		a := NewArena()
		var text bytes.Buffer
		if err := a.SMT(&text, program(randomProgram(r)).build(a)); err != nil {
			f.Fatal(err)
		}
		f.Add(text.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		a := NewArena()
		x, err := Parse(a, text)
		if err != nil {
			return
		}
		var out strings.Builder
		if err := a.SMT(&out, x); err != nil {
			t.Fatal(err)
		}
		if y, err := Parse(a, out.String()); err != nil || y != x {
			t.Fatalf("%q is written as %q, which reads as %s, %v", text, out.String(), a.String(y), err)
		}
	})
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "a term expected at the end"},
		{"(", `unknown operator ""`},
		{"x", `"x" is not a term`},
		{"#b", `bad constant "#b"`},
		{"#x12345678901234567", "bad constant"},
		{"|a|", "|name:width| expected"},
		{"|a:0|", "bad width"},
		{"|a:65|", "bad width"},
		{"|a%4:8|", "bad escape"},
		{"(bvadd |a:8| |a:9|)", "has width 8 already"},
		{"(bvadd |a:8| |b:9|)", "bvadd of widths 8 and 9"},
		{"(concat |a:33| |b:32|)", "concat to more than 64 bits"},
		{"(bvnot |a:8|", `")" expected at the end`},
		{"(bvnot |a:8|) #b1", `"#b1" after the term`},
		{"(bvult |a:8| |b:8|)", "outside of ite"},
		{"((_ extract 8 0) |a:8|)", "extract of bits 0 to 8 from width 8"},
		{"((_ zero_extend 60) |a:8|)", "zero_extend to width 68"},
		{"((_ rotate_left 1) |a:8|)", "unknown indexed operator"},
		{"(ite (= #b1 |a:8|) #b1 #b0)", "condition of width 8"},
		{"(ite (bvadd |a:8| |b:8|) #b1 #b0)", "is not a condition"},
		{"(let ((x #b1)) x)", "which is no name"},
		{"(f64.add |a:64| |b:32|)", "f64.add of width 32"},
		{"(f64.sqrt |a:32|)", "f64.sqrt of width 32"},
		{"(f16.add |a:16| |b:16|)", "unknown operator"},
		{"(f64.from_f64 |a:64|)", "unknown operator"},
		{"(s16.from_f64 |a:64|)", "unknown operator"},
		{"(f64.from_u065 |a:64|)", "unknown operator"},
		{"((_ extract 100 50) (bvmul ((_ zero_extend 50) |a:50|) ((_ zero_extend 50) |b:50|)))", "bits 50 to 100 of a product"},
		{"((_ extract 99 50) (bvmul ((_ zero_extend 50) |a:50|) ((_ zero_extend 50) |b:51|)))", "product of 51 and not 50 bits"},
		{"((_ extract 99 50) |a:50|)", `"(" expected`},
		{"(let ((?1 #b1)) (let ((?1 #b0)) ?1))", "binds ?1 again"},
		{"(select |a:8| |b:8|)", "an array expected"},
		{"(bvnot ((as const (Array (_ BitVec 2) (_ BitVec 8))) |a:8|))", "an array in the place of a bit-vector"},
		{"(select ((as const (Array (_ BitVec 2) (_ BitVec 8))) |a:8|) |b:8|)", "index of width 8"},
		{"(store ((as const (Array (_ BitVec 2) (_ BitVec 8))) |a:8|) #b01 |b:4|)", "width 4 stored among elements of width 8"},
		{"((as const (Array (_ BitVec 2) (_ BitVec 9))) |a:8|)", "elements of width 9 made of width 8"},
		{"((as const (Array (_ BitVec 65) (_ BitVec 8))) |a:8|)", "bad width"},
		{strings.Repeat("(bvnot ", 20000), "nested more than"},
	} {
		_, err := Parse(NewArena(), test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Parse(%.50q): error %v, want %q", test.text, err, test.want)
		}
	}
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
		x := parseTree(test.text, test.width).build(a)
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
		keep, drop := program(randomProgram(r)), program(randomProgram(r))
		x := keep.build(a)
		m := a.Mark()
		n := a.Len()
		a.Var("gone", 5)
		a.Vars(nil, drop.build(a))
		a.Vars(nil, x)
		a.Release(m)
		a.Vars(nil, x)
		if a.Len() != n {
			t.Fatalf("%d expressions after Release, want %d", a.Len(), n)
		}
		if y := keep.build(b); x != y || a.String(x) != b.String(y) {
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

// checkDeep prints x, reads it, copies and evaluates it.
func checkDeep(t *testing.T, a *Arena, x ID) {
	t.Helper()
	var text bytes.Buffer
	if err := a.SMT(&text, x); err != nil {
		t.Fatal(err)
	}
	if back, err := Parse(a, text.String()); err != nil || back != x {
		t.Fatalf("read back as another expression, %v", err)
	}
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
// values that were read from the chain below, and with a table that Parse has to
// put together from many terms.
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
