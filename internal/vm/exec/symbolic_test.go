package exec

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// A bench runs single instructions on an interpreter without a program.
type bench struct {
	*Interpreter
}

func newBench() bench {
	prog := ssa.NewProgram(token.NewFileSet(), 0)
	sizes := types.SizesFor("gc", "amd64")
	b := bench{new(Interpreter)}
	b.Init(compile.NewProgram(prog, sizes, nil, nil), expr.NewArena(), run.NewNames(), run.Settings{})
	return b
}

// run executes ins on two words of kinds kx and ky in registers 0 and 1, which
// are the variables x and y when shadowed is set. The result, left in register
// 2, comes with its shadow; ok is false when the goroutine panicked.
func (b bench) run(ins []code.Instr, kx, ky code.Kind, x, y uint64, symbolic bool) (z symbolic.Operand, ok bool) {
	b.Goroutines = nil
	b.Begin(context.Background(), &run.Plan{}, run.NonPreemptive{})
	g := b.NewGoroutine(nil)
	fn := new(state.Function)
	SetCode(fn, &code.Func{Name: "f", Code: ins, Pos: make([]token.Pos, len(ins)), Params: 2, Results: 1, Regs: 4, Recover: -1})
	b.Push(g, fn, nil, 0, state.Bottom)
	g.Stack[0], g.Stack[1] = heap.Word{N: heap.Canonical(x, kx)}, heap.Word{N: heap.Canonical(y, ky)}
	if symbolic {
		g.MakeSymbolic(g.Top())
		g.Sym[0] = b.Arena.Var("x"+kx.String(), heap.KindWidth(kx))
		g.Sym[1] = b.Arena.Var("y"+ky.String(), heap.KindWidth(ky))
	}
	b.Execute(g)
	if g.Status != state.Ended || b.Over {
		return z, false
	}
	z.Word = g.Stack[0]
	if symbolic {
		z.Sym = g.Sym[0]
	}
	return z, true
}

var intKinds = []code.Kind{
	code.Int8, code.Int16, code.Int32, code.Int64,
	code.Uint8, code.Uint16, code.Uint32, code.Uint64,
}

var floatKinds = []code.Kind{code.Float32, code.Float64}

// boundary returns values at the edges of kind k and a few others.
func boundary(k code.Kind, r *rand.Rand) []uint64 {
	if k.Float() {
		return boundaryFloats(k, r)
	}
	top := uint64(1) << (k.Bits() - 1)
	list := []uint64{0, 1, 2, 3, uint64(k.Bits() - 1), uint64(k.Bits()), uint64(k.Bits() + 1), top - 1, top, top + 1, 2*top - 1, 2*top - 2}
	for range 4 {
		list = append(list, r.Uint64())
	}
	return list
}

// boundaryFloats returns floats of kind k that operations turn on: zeros,
// subnormal numbers, infinities, NaNs, the limits of integer kinds, and others.
func boundaryFloats(k code.Kind, r *rand.Rand) []uint64 {
	list := []uint64{0, 1, symbolic.SignBit(k), symbolic.SignBit(k) | 1, symbolic.ConvertWord(code.Float64, k, math.Float64bits(math.Inf(1))),
		symbolic.ConvertWord(code.Float64, k, math.Float64bits(math.Inf(-1))), expr.NaN(heap.KindWidth(k)), expr.NaN(heap.KindWidth(k)) | symbolic.SignBit(k) | 2}
	for _, f := range []float64{
		1, 1.5, -2, 0.1, 3, -7, 1e10, 300.7, -300.7, math.MaxFloat32, math.MaxFloat64, math.SmallestNonzeroFloat32,
		math.MaxInt8, math.MaxUint16, math.MaxInt32, 1 << 31, 1 << 32, -1<<31 - 0.5, -1<<31 - 1, 1 << 53, 1 << 63, 1 << 64, -1 << 63, 1.2e19,
	} {
		list = append(list, symbolic.ConvertWord(code.Float64, k, math.Float64bits(f)))
	}
	for range 4 {
		list = append(list, heap.Canonical(r.Uint64(), k))
	}
	return list
}

// The shadow of an instruction, made from one pair of operands, gives for every
// other pair that takes the same path what the instruction itself gives.
func TestShadows(t *testing.T) {
	type instruction struct {
		name   string
		ins    []code.Instr
		kx, ky code.Kind
		result code.Kind
	}
	var table []instruction
	one := func(op code.Op, in code.Instr, kx, ky, result code.Kind) {
		in.Op, in.A = op, 2
		table = append(table, instruction{fmt.Sprintf("%v/%v/%v", op, kx, ky), []code.Instr{in, {Op: code.Return, K: 1, A: 2}}, kx, ky, result})
	}
	jump := func(in code.Instr, k code.Kind) {
		in.D = 3
		table = append(table, instruction{fmt.Sprintf("%v/%v/%d", in.Op, k, in.C), []code.Instr{
			in, {Op: code.Imm, A: 2}, {Op: code.Return, K: 1, A: 2},
			{Op: code.Imm, A: 2, C: 1}, {Op: code.Return, K: 1, A: 2},
		}, k, k, code.Bool})
	}
	for _, k := range intKinds {
		wide := k.Bits() == 64
		pick := func(a, b code.Op) code.Op {
			if wide {
				return a
			}
			return b
		}
		two := code.Instr{K: uint16(k), B: 0, C: 1}
		for _, op := range []code.Op{pick(code.Add, code.AddK), pick(code.Sub, code.SubK), pick(code.Mul, code.MulK),
			code.Div, code.Rem, code.And, code.Or, code.Xor, code.AndNot, code.MinMax} {
			one(op, two, k, k, k)
		}
		if !k.Signed() {
			one(code.Rot, two, k, code.Int64, k)
		}
		one(code.MinMax, code.Instr{K: uint16(k), B: 0, C: 1, D: 1}, k, k, k)
		for _, count := range intKinds {
			in := two
			in.D = int32(count)
			one(code.Shl, in, k, count, k)
			one(code.Shr, in, k, count, k)
		}
		for _, n := range []int32{0, 1, int32(k.Bits() - 1)} {
			one(code.ShlI, code.Instr{K: uint16(k), C: n}, k, k, k)
			one(code.ShrI, code.Instr{K: uint16(k), C: n}, k, k, k)
		}
		for _, imm := range []int32{1, -1, 100, -128} {
			one(pick(code.AddI, code.AddKI), code.Instr{K: uint16(k), C: imm}, k, k, k)
			if wide {
				one(code.MulI, code.Instr{K: uint16(k), C: imm}, k, k, k)
			}
			if k.Signed() || imm > 0 {
				one(code.AndI, code.Instr{K: uint16(k), C: imm}, k, k, k)
			}
		}
		if k == code.Uint64 {
			one(code.MulHi, two, k, k, k)
		}
		one(code.Neg, code.Instr{K: uint16(k)}, k, k, k)
		one(code.Com, code.Instr{K: uint16(k)}, k, k, k)
		one(code.Mov, code.Instr{}, k, k, k)
		for _, to := range intKinds {
			one(code.Conv, code.Instr{K: uint16(to), C: int32(k)}, k, k, to)
		}
		lt, le, jlt, jle := code.LtU, code.LeU, code.JmpLtU, code.JmpLeU
		if k.Signed() {
			lt, le, jlt, jle = code.LtS, code.LeS, code.JmpLtS, code.JmpLeS
		}
		for _, op := range []code.Op{code.EqW, code.NeW, lt, le} {
			one(op, two, k, k, code.Bool)
		}
		for _, op := range []code.Op{code.JmpEq, code.JmpNe, jlt, jle} {
			jump(code.Instr{Op: op, K: uint16(k), A: 0, B: 1}, k)
		}
		imms := []int32{0, 1, 100}
		if k.Signed() {
			imms = append(imms, -1, -128)
		}
		for _, imm := range imms {
			jump(code.Instr{Op: code.JmpEqI, K: uint16(k), C: imm}, k)
			jump(code.Instr{Op: code.JmpNeI, K: uint16(k), C: imm}, k)
			if k == code.Uint64 {
				continue
			}
			for _, op := range []code.Op{code.JmpLtSI, code.JmpLeSI, code.JmpGtSI, code.JmpGeSI} {
				jump(code.Instr{Op: op, K: uint16(k), C: imm}, k)
			}
		}
	}
	for _, k := range floatKinds {
		two := code.Instr{K: uint16(k), B: 0, C: 1}
		for _, op := range []code.Op{code.AddF, code.SubF, code.MulF, code.DivF, code.MinMax} {
			one(op, two, k, k, k)
		}
		one(code.MinMax, code.Instr{K: uint16(k), B: 0, C: 1, D: 1}, k, k, k)
		for _, op := range []code.Op{code.EqF, code.NeF, code.LtF, code.LeF} {
			one(op, two, k, k, code.Bool)
		}
		one(code.NegF, code.Instr{K: uint16(k)}, k, k, k)
		if k == code.Float64 {
			one(code.SqrtF, code.Instr{K: uint16(k)}, k, k, k)
			for r := expr.ToEven; r <= expr.ToZero; r++ {
				one(code.RoundF, code.Instr{K: uint16(k), C: int32(r)}, k, k, k)
			}
		}
		one(code.Mov, code.Instr{}, k, k, k)
		for _, other := range append(floatKinds, intKinds...) {
			one(code.Conv, code.Instr{K: uint16(other), C: int32(k)}, k, k, other)
			one(code.Conv, code.Instr{K: uint16(k), C: int32(other)}, other, other, k)
		}
	}
	one(code.Not, code.Instr{K: uint16(code.Bool)}, code.Bool, code.Bool, code.Bool)
	one(code.EqW, code.Instr{K: uint16(code.Bool), B: 0, C: 1}, code.Bool, code.Bool, code.Bool)
	jump(code.Instr{Op: code.JmpIf}, code.Bool)
	jump(code.Instr{Op: code.JmpIfNot}, code.Bool)

	r := rand.New(rand.NewPCG(1, 2))
	for _, in := range table {
		t.Run(in.name, func(t *testing.T) {
			b := newBench()
			xs, ys := boundary(in.kx, r), boundary(in.ky, r)
			same := 0
			for range 40 {
				x0, y0 := xs[r.IntN(len(xs))], ys[r.IntN(len(ys))]
				z, ok := b.run(in.ins, in.kx, in.ky, x0, y0, true)
				path := append([]run.Condition(nil), b.Trace.Path...)
				for range 20 {
					x, y := xs[r.IntN(len(xs))], ys[r.IntN(len(ys))]
					value := func(v expr.ID) uint64 {
						if b.Arena.VarName(v)[0] == 'x' {
							return x
						}
						return y
					}
					holds := true
					for _, c := range path {
						holds = holds && b.Arena.Eval(c.Cond, value) == 1
					}
					want, wantOK := b.run(in.ins, in.kx, in.ky, x, y, false)
					if holds && ok != wantOK || !holds && len(in.ins) == 2 && ok && wantOK {
						t.Fatalf("after %#x, %#x: for %#x, %#x the path holds: %v, but completes: %v", x0, y0, x, y, holds, wantOK)
					}
					if !holds || !ok {
						continue
					}
					same++
					got := z.N
					if z.Sym != expr.None {
						got = heap.Canonical(b.Arena.Eval(z.Sym, value), in.result)
					}
					if got != want.N {
						t.Fatalf("after %#x, %#x: for %#x, %#x it is %#x, not %#x\n%s", x0, y0, x, y, want.N, got, b.Arena.String(z.Sym))
					}
				}
			}
			if same == 0 {
				t.Error("no pair of operands took the same path as another")
			}
		})
	}
}
