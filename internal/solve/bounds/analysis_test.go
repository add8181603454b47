package bounds_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve/bounds"
	"github.com/everyway-go/everyway/internal/solve/solvetest"
)

// TestBoundsHold compares bounds with the values in all models.
func TestBoundsHold(t *testing.T) {
	refuted, unsat := 0, 0
	solvetest.Small(20_000, 10_000, 4_000, func(a *expr.Arena, conj []expr.ID) {
		b := bounds.New(a)
		no := b.Refute(conj)
		sat := false
		solvetest.Models(a, conj, func(value func(expr.ID) uint64) {
			sat = true
			if no {
				t.Fatalf("refuted:%s", solvetest.Text(a, conj))
			}
			if miss := b.Misses(value); miss != "" {
				t.Fatalf("%s in a model of%s", miss, solvetest.Text(a, conj))
			}
		})
		if !sat {
			unsat++
		}
		if no {
			refuted++
		}
	})
	t.Logf("%d of %d refuted", refuted, unsat)
	if refuted < unsat/3 {
		t.Errorf("only %d of %d refuted", refuted, unsat)
	}
}

// TestBoundsFind checks how much the analysis sees.
func TestBoundsFind(t *testing.T) {
	a := expr.NewArena()
	c := func(v uint64) expr.ID { return a.Const(v, 32) }
	x, y, z := a.Var("x", 32), a.Var("y", 32), a.Var("z", 32)
	b8 := a.Var("b", 8)
	for _, test := range []struct {
		name   string
		conj   []expr.ID
		no     bool // contradictory
		of     expr.ID
		lo, hi uint64
	}{
		{"a digit", []expr.ID{a.Ult(a.Sub(b8, a.Const('0', 8)), a.Const(10, 8))}, false, b8, '0', '9'},
		{"signed", []expr.ID{a.Sle(c(0), x), a.Slt(x, c(100))}, false, x, 0, 99},
		{"through another", []expr.ID{a.Ult(x, y), a.Ult(y, c(10))}, false, x, 0, 8},
		{"sum", []expr.ID{a.Ult(x, c(10)), a.Ult(y, c(10)), a.Eq(z, a.Add(x, y))}, false, z, 0, 18},
		{"product", []expr.ID{a.Ult(x, c(10)), a.Ult(y, c(10)), a.Eq(z, a.Mul(x, y))}, false, z, 0, 81},
		{"quotient", []expr.ID{a.Eq(a.UDiv(x, c(100)), c(3))}, false, x, 300, 399},
		{"shift", []expr.ID{a.Eq(a.LShr(x, c(8)), c(5))}, false, x, 5 << 8, 5<<8 + 255},
		{"multiple", []expr.ID{a.Ult(x, c(1000)), a.Eq(a.Mul(x, c(7)), c(70))}, false, x, 10, 10},
		{"bits", []expr.ID{a.Eq(a.And(x, c(0xf0)), c(0x30)), a.Ult(x, c(256))}, false, x, 0x30, 0x3f},
		{"choice", []expr.ID{a.Ult(c(5), a.Ite(a.Ult(x, c(9)), c(3), c(8)))}, false, x, 9, 1<<32 - 1},
		{"element", []expr.ID{a.Eq(z, a.Select(a.Table(32, []expr.ID{c(3), c(8), c(5)}, c(0)), x)), a.Ult(x, c(3))}, false, z, 3, 8},
		{"apart", []expr.ID{a.Ult(x, c(10)), a.Ult(c(20), x)}, true, 0, 0, 0},
		{"parity", []expr.ID{a.Eq(a.And(x, c(1)), c(0)), a.Eq(a.And(a.Mul(x, y), c(1)), c(1))}, true, 0, 0, 0},
		{"remainder", []expr.ID{a.Eq(a.URem(x, c(10)), y), a.Ult(c(9), y)}, true, 0, 0, 0},
	} {
		b := bounds.New(a)
		if no := b.Refute(test.conj); no != test.no {
			t.Errorf("%s: refuted: %v", test.name, no)
		}
		if test.no {
			continue
		}
		if lo, hi, _ := b.Range(test.of); lo != test.lo || hi != test.hi {
			t.Errorf("%s: %d to %d, want %d to %d", test.name, lo, hi, test.lo, test.hi)
		}
	}
}
