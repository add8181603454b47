package exec

import (
	"context"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// randomCode returns a function of two bytes that jumps forward only. Registers 0 to 5
// hold bytes, 6 and 7 bools; it returns two bytes and a bool.
func randomCode(r *rand.Rand) *code.Func {
	number := func() int32 { return r.Int32N(6) }
	truth := func() int32 { return 6 + r.Int32N(2) }
	k := uint16(code.Uint8)
	n := int32(12 + r.IntN(24))
	var ins []code.Instr
	for i := range int32(4) {
		ins = append(ins, code.Instr{Op: code.Imm, A: 2 + i, C: r.Int32N(5)}, code.Instr{Op: code.Imm, A: 6 + i%2})
	}
	for i := int32(len(ins)); i < n; i++ {
		to := i + 1 + r.Int32N(min(8, n-i))
		var in code.Instr
		switch r.IntN(20) {
		case 0, 1, 2:
			ops := []code.Op{code.AddK, code.SubK, code.MulK, code.And, code.Or, code.Xor, code.AndNot, code.MinMax}
			in = code.Instr{Op: ops[r.IntN(len(ops))], K: k, A: number(), B: number(), C: number()}
		case 3:
			ops := []code.Op{code.AddKI, code.AndI, code.ShlI, code.ShrI}
			in = code.Instr{Op: ops[r.IntN(len(ops))], K: k, A: number(), B: number(), C: r.Int32N(9)}
		case 4:
			ops := []code.Op{code.Shl, code.Shr}
			in = code.Instr{Op: ops[r.IntN(2)], K: k, A: number(), B: number(), C: number(), D: int32(code.Uint8)}
		case 5:
			ops := []code.Op{code.Div, code.Rem}
			in = code.Instr{Op: ops[r.IntN(2)], K: k, A: number(), B: number(), C: number()}
		case 6:
			in = code.Instr{Op: code.Mov, A: number(), B: number()}
		case 7, 8:
			in = code.Instr{Op: code.Imm, A: number(), C: r.Int32N(256)}
		case 9:
			in = code.Instr{Op: code.Imm, A: truth(), C: r.Int32N(2)}
		case 10:
			ops := []code.Op{code.EqW, code.NeW, code.LtU, code.LeU}
			in = code.Instr{Op: ops[r.IntN(len(ops))], K: k, A: truth(), B: number(), C: number()}
		case 11:
			in = code.Instr{Op: code.Not, K: uint16(code.Bool), A: truth(), B: truth()}
		case 12, 13:
			ops := []code.Op{code.JmpIf, code.JmpIfNot}
			in = code.Instr{Op: ops[r.IntN(2)], K: uint16(code.Bool), A: truth(), D: to}
		case 14, 15:
			ops := []code.Op{code.JmpEq, code.JmpNe, code.JmpLtU, code.JmpLeU}
			in = code.Instr{Op: ops[r.IntN(len(ops))], K: k, A: number(), B: number(), D: to}
		case 16, 17:
			ops := []code.Op{code.JmpEqI, code.JmpNeI, code.JmpLtSI, code.JmpLeSI, code.JmpGtSI, code.JmpGeSI}
			in = code.Instr{Op: ops[r.IntN(len(ops))], K: k, A: number(), C: r.Int32N(256), D: to}
		case 18:
			in = code.Instr{Op: code.Jmp, D: to}
		case 19:
			in = code.Instr{Op: code.Nop}
			if r.IntN(3) == 0 {
				in = code.Instr{Op: code.Return, K: 3, A: 4}
			}
		}
		ins = append(ins, in)
	}
	ins = append(ins, code.Instr{Op: code.Return, K: 3, A: 4})
	return &code.Func{Name: "f", Code: ins, Pos: make([]token.Pos, len(ins)), Params: 2, Results: 3, Regs: 8, Recover: -1}
}

// call runs fn on two bytes, and reports whether it returns. The results are in the
// first registers of the goroutine.
func (b bench) call(fn *code.Func, plan *run.Plan, x, y uint64, symbolic bool) (g *state.Goroutine, ok bool) {
	b.Goroutines = nil
	b.Begin(context.Background(), plan, run.NonPreemptive{})
	g = b.NewGoroutine(nil)
	f := new(state.Function)
	SetCode(f, fn)
	b.Push(g, f, nil, 0, state.Bottom)
	g.Stack[0], g.Stack[1] = heap.Word{N: x}, heap.Word{N: y}
	if symbolic {
		g.MakeSymbolic(g.Top())
		g.Sym[0], g.Sym[1] = b.Arena.Var("x", 8), b.Arena.Var("y", 8)
	}
	b.Execute(g)
	if g.Merging.On {
		panic("still merging")
	}
	return g, g.Status == state.Ended && !b.Over
}

// A run with merging gives the results of the run without. For every other input
// that meets its path condition the run on it returns what the expressions say.
func TestMergeRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	merged, shorter := 0, 0
	ys := []uint64{0, 1, 7, 100, 255}
	for range 400 {
		fn := randomCode(r)
		b := newBench()
		type end struct {
			words [3]uint64
			ok    bool
		}
		want := map[[2]uint64]end{}
		for x := range uint64(256) {
			for _, y := range ys {
				g, ok := b.call(fn, &run.Plan{}, x, y, false)
				want[[2]uint64{x, y}] = end{[3]uint64{g.Stack[0].N, g.Stack[1].N, g.Stack[2].N}, ok}
			}
		}
		for range 3 {
			x0, y0 := r.Uint64N(256), ys[r.IntN(len(ys))]
			b.call(fn, &run.Plan{}, x0, y0, true)
			conditions, instructions := len(b.Trace.Path), b.Trace.Instructions
			g, ok := b.call(fn, &run.Plan{Merge: run.MergeAll}, x0, y0, true)
			switch now := len(b.Trace.Path); {
			case now < conditions:
				shorter++
			case now > conditions:
				t.Fatalf("%d conditions instead of %d", now, conditions)
			}
			if b.Trace.Instructions != instructions {
				t.Fatalf("%d instructions, not %d", b.Trace.Instructions, instructions)
			}
			for in, out := range want {
				value := func(v expr.ID) uint64 { return in[strings.IndexByte("xy", b.Arena.VarName(v)[0])] }
				holds := true
				for _, c := range b.Trace.Path {
					holds = holds && b.Arena.Eval(c.Cond, value) == 1
				}
				if in == [2]uint64{x0, y0} && !holds || holds && out.ok != ok {
					t.Fatalf("after %d, %d: path holds for %d: %v, returns %v\n%v\n%v", x0, y0, in, holds, out.ok, fn, b.regions.Find(fn))
				}
				if !holds || !ok {
					continue
				}
				for i, w := range out.words {
					got, k := g.Stack[i].N, code.Uint8
					if i == 2 {
						k = code.Bool
					}
					if s := g.Sym[i]; s != expr.None {
						got = b.Arena.Eval(symbolic.Fit(b.Arena, s, k), value)
					}
					if got != w {
						t.Fatalf("after %d, %d: result %d for %d is %d, not %d\n%v\n%v", x0, y0, i, in, w, got, fn, b.regions.Find(fn))
					}
					if g.Sym[i] != expr.None && in != [2]uint64{x0, y0} && w != g.Stack[i].N {
						merged++
					}
				}
			}
		}
	}
	t.Log(shorter, "paths are shorter,", merged, "results of other inputs")
	if shorter < 100 || merged < 10000 {
		t.Errorf("%d paths are shorter, %d results of other inputs are found", shorter, merged)
	}
}
