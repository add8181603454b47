package vm_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm/testdata/operations"
)

// operand returns the bits of a number, often one on which an operation turns.
func operand(r *rand.Rand) uint64 {
	switch r.IntN(8) {
	case 0:
		return r.Uint64()
	case 1: // next to zero
		return uint64(r.IntN(9)) - 4
	case 2: // next to the limit of a type
		return uint64(1)<<[...]int{7, 8, 15, 16, 31, 32, 63}[r.IntN(7)] + uint64(r.IntN(3)) - 1
	case 3: // counts of shifts
		return uint64(r.IntN(70))
	case 4: // two floats of 32 bits
		return uint64(math.Float32bits(float32(r.IntN(4000)-2000)/8)) | uint64(math.Float32bits(float32(r.IntN(9))-4))<<32
	case 5:
		return math.Float64bits(float64(r.IntN(4000)-2000) / 8)
	}
	list := []float64{
		0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
		0x1p-1022, 0.5, -0.5, 1.5, 2.5, -2.5, 0x1p52, 0x1p53 + 2, 0x1p31, -0x1p31, 0x1p63, -0x1p63, 0x1p64, 1e19, 1e300, 0.49999999999999994,
	}
	return math.Float64bits(list[r.IntN(len(list))])
}

// concretised are the last words of the operations that make operands concrete: other
// values of them are tried one by one.
var concretised = []string{
	"complex64 *", "complex64 /", "complex128 *", "complex128 /", // by the machine's complex numbers
	"as index",     // of an array that is no variable
	"Hypot", "Sin", // by the host, as are all others of package math that are not exact
}

// TestOperations compares every operation on numbers with native Go. The
// symbolic result of a run, for one pair of operands, has to be right for others that
// take the same path.
func TestOperations(t *testing.T) {
	p := loadFuncs(t, "operations/run")
	r := p.runner(t, "run")
	var at int
	var result uint64
	var shadow expr.ID
	var completes bool
	r.AddInputs(p.pkg.Pkg.Path())
	r.AddReport(p.pkg.Pkg.Path(), &at, func(v uint64, x expr.ID, ok bool) { result, shadow, completes = v, x, ok })
	runs, others := sample.Size(8, 4, 2), sample.Size(24, 24, 12)
	random := rand.New(rand.NewPCG(1, 8))
	for i, op := range operations.Table {
		at = i
		concretized, givenUp := false, false
		for range runs {
			x0, y0 := operand(random), operand(random)
			trace, out := r.run(t, &run.Plan{Input: run.Input{"x": x0, "y": y0}}, nil)
			if out != "" {
				t.Fatalf("%s of %#x and %#x: %s", op.Name, x0, y0, out)
			}
			givenUp = givenUp || len(trace.GivenUp) > 0
			concretized = concretized || slices.ContainsFunc(trace.Path, func(c run.Condition) bool { return c.Kind == run.Concretized })
			for k := range others + 1 {
				x, y := operand(random), operand(random)
				switch {
				case k == 0:
					x, y = x0, y0
				case k%3 == 0: // close by
					x, y = x0+uint64(random.IntN(3)), y0
				}
				value := func(v expr.ID) uint64 {
					if r.Arena.VarName(v) == "x" {
						return x
					}
					return y
				}
				holds := true
				for _, c := range trace.Path {
					holds = holds && r.Arena.Eval(c.Cond, value) == 1
				}
				if !holds {
					if k == 0 {
						t.Fatalf("%s of %#x and %#x: not on its own path", op.Name, x, y)
					}
					continue
				}
				got := result
				if shadow != expr.None {
					got = r.Arena.Eval(shadow, value)
				}
				want, ok := operations.Run(i, x, y)
				if ok != completes || ok && got != want {
					t.Fatalf("%s of %#x and %#x, on the path of %#x and %#x: %#x, %v, natively %#x, %v", op.Name, x, y, x0, y0, got, completes, want, ok)
				}
			}
		}
		if want := slices.ContainsFunc(concretised, func(s string) bool { return strings.HasSuffix(op.Name, s) }); concretized != want {
			t.Errorf("%s: operands made concrete: %v, want %v", op.Name, concretized, want)
		}
		if want := op.Name == "Hypot" || op.Name == "Sin"; givenUp != want {
			t.Errorf("%s: told as given up: %v, want %v", op.Name, givenUp, want)
		}
	}
	t.Log(len(operations.Table), "operations")
}
