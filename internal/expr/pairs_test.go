package expr_test

import (
	"fmt"
	"testing"

	. "github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestPairs builds every operator over every operator, with all constants beside a
// variable and what widens one, and compares what it is simplified to with
// the operators themselves for all values.
func TestPairs(t *testing.T) {
	width := uint8(sample.Size(4, 4, 3))
	operators := []Op{
		And, Or, Xor, Add, Sub, Mul, UMulHi, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, Eq, Ult, Ule, Slt, Sle,
	}
	leaves := []struct {
		name  string
		build func(a *Arena) ID
	}{
		{"x", func(a *Arena) ID { return a.Var("x", width) }},
		{"zext x", func(a *Arena) ID { return a.ZExt(a.Var("x2", 2), width) }},
		{"sext x", func(a *Arena) ID { return a.SExt(a.Var("x2", 2), width) }},
	}
	binary := func(a *Arena, swap bool, op Op, x, y ID) ID {
		if swap {
			x, y = y, x
		}
		return a.Binary(op, x, y)
	}
	apply := func(swap bool, op Op, width uint8, x, y uint64) uint64 {
		if swap {
			x, y = y, x
		}
		return Apply(op, width, x, y)
	}
	a := NewArena()
	for _, leaf := range leaves {
		m := a.Mark()
		for _, inner := range operators {
			if inner >= Eq && inner <= Sle { // what is done with booleans is among the rules
				continue
			}
			for _, outer := range operators {
				for form := range 4 {
					swapInner, swapOuter := form&1 != 0, form&2 != 0
					for c := range uint64(1) << width {
						for d := range uint64(1) << width {
							a.Release(m)
							x := leaf.build(a)
							y := binary(a, swapInner, inner, x, a.Const(c, width))
							z := binary(a, swapOuter, outer, y, a.Const(d, width))
							for v := range uint64(1) << width {
								value := func(ID) uint64 { return v }
								want := apply(swapOuter, outer, width, apply(swapInner, inner, width, a.Eval(x, value), c), d)
								if got := a.Eval(z, value); got != want {
									t.Fatal(fmt.Sprintf("%v of (%v of %s and %d) and %d, form %d: ", outer, inner, leaf.name, c, d, form),
										a.String(z), " is ", got, " and not ", want, " for ", v)
								}
							}
						}
					}
				}
			}
		}
	}
}
