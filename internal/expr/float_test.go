package expr_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/expr/exprtest"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestFloatOperators compares each operator over floats, at each width, with
// its definition.
func TestFloatOperators(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for op := FAdd; op <= FRound; op++ {
		for i := range sample.Of(20_000, 6_000, 1_000) {
			from, to := uint8(32+i%2*32), uint8(32+i/2%2*32)
			switch {
			case op == FConv:
				to = 96 - from
			case op == SToF || op == UToF:
				from = uint8(1 + i/4%64)
			case op >= FEq && op <= FLe:
				to = 1
			case op != FToS:
				to = from
			}
			x := &exprtest.Tree{Op: op, Width: to}
			if op == FRound {
				x.Lo = uint8(i / 4 % 5)
			}
			var operands []uint64
			for range op.NumArgs() {
				v := r.Uint64() >> r.IntN(64)
				if op != SToF && op != UToF {
					v = exprtest.BoundaryFloat(r, from)
				}
				v &= ^uint64(0) >> (64 - from)
				operands = append(operands, v)
				x.Args = append(x.Args, &exprtest.Tree{Op: Const, Width: from, Value: v})
			}
			a := NewArena()
			got, ok := a.ConstValue(x.Build(a))
			if want := x.Eval(nil); !ok || got != want {
				t.Fatalf("%s from width %d to %d of %#x: %#x, want %#x", op, from, to, operands, got, want)
			}
		}
	}
}
