package solve_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// branch returns a condition such as programs branch on, over a few inputs.
func branch(a *expr.Arena, r *rand.Rand, width uint8) expr.ID {
	v := func() expr.ID { return a.Var(fmt.Sprintf("in%d_%d", r.IntN(4), width), width) }
	c := func(n int) expr.ID { return a.Const(uint64(r.IntN(n)), width) }
	b := func() expr.ID { return a.ZExt(a.Var(fmt.Sprintf("byte%d", r.IntN(8)), 8), width) }
	switch r.IntN(10) {
	case 0: // an index within bounds
		return a.Ult(a.Add(v(), c(10)), v())
	case 1:
		return a.Slt(a.Add(v(), c(100)), v())
	case 2:
		return a.Slt(v(), c(1000))
	case 3:
		return a.Eq(a.And(v(), c(16)), c(16))
	case 4: // a byte of a string
		return a.Eq(b(), a.Const(uint64('a'+r.IntN(26)), width))
	case 5: // digits of a number
		sum := a.Sub(b(), a.Const('0', width))
		for range 2 {
			sum = a.Add(a.Mul(sum, a.Const(10, width)), a.Sub(b(), a.Const('0', width)))
		}
		return a.Slt(sum, c(800))
	case 6:
		return a.Eq(a.URem(v(), a.Const(10, width)), c(10))
	case 7:
		return a.Eq(a.Xor(v(), a.LShr(v(), a.Const(3, width))), v())
	case 8:
		return a.Ult(a.Mul(v(), a.Const(24, width)), v())
	default:
		return a.Slt(a.Sub(v(), v()), c(50))
	}
}

// BenchmarkPath flips the branches of random paths one after another, as a
// search does: each query is the prefix of a path that an input takes, and the
// negation of the next branch.
func BenchmarkPath(b *testing.B) {
	for _, width := range []uint8{32, 64} {
		for _, near := range []bool{false, true} {
			b.Run(fmt.Sprintf("width=%d/near=%v", width, near), func(b *testing.B) {
				var stats solve.Stats
				var times []time.Duration
				r := rand.New(rand.NewPCG(1, 2))
				count := map[solve.Result]int{}
				for b.Loop() {
					b.StopTimer()
					a := expr.NewArena()
					s := solve.New(a, solve.Options{Stats: &stats})
					input := map[expr.ID]uint64{}
					value := func(v expr.ID) uint64 {
						if _, ok := input[v]; !ok {
							input[v] = r.Uint64() >> r.IntN(64)
						}
						return input[v]
					}
					path := make([]expr.ID, 5+r.IntN(16))
					for i := range path {
						path[i] = branch(a, r, width)
						if a.Eval(path[i], value) == 0 {
							path[i] = a.Not(path[i])
						}
					}
					b.StartTimer()
					for i, x := range path {
						query := append(slices.Clone(path[:i]), a.Not(x))
						start := time.Now()
						var result solve.Result
						if near {
							result, _ = checkNear(b, s, query, value)
						} else {
							result, _ = check(b, s, query)
						}
						times = append(times, time.Since(start))
						count[result]++
					}
				}
				slices.Sort(times)
				b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "median-ns")
				b.ReportMetric(float64(times[len(times)*9/10].Nanoseconds()), "p90-ns")
				b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "p99-ns")
				b.Logf("%v %+v", count, stats)
			})
		}
	}
}

// BenchmarkBlast has slices solved that local search cannot answer.
func BenchmarkBlast(b *testing.B) {
	for _, test := range []struct {
		name string
		conj func(a *expr.Arena, x, y, z expr.ID) []expr.ID
	}{
		{"order cycle", func(a *expr.Arena, x, y, z expr.ID) []expr.ID {
			return []expr.ID{a.Slt(x, y), a.Slt(y, z), a.Slt(z, x)}
		}},
		{"sum", func(a *expr.Arena, x, y, z expr.ID) []expr.ID {
			limit := a.Const(1000, 64)
			return []expr.ID{a.Ult(x, limit), a.Ult(y, limit), a.Ult(z, limit),
				a.Ult(a.Const(3000, 64), a.Add(x, a.Add(y, z)))}
		}},
		{"remainder", func(a *expr.Arena, x, y, z expr.ID) []expr.ID {
			return []expr.ID{a.Eq(a.URem(x, a.Const(10, 64)), a.Const(3, 64)), a.Eq(a.URem(x, a.Const(5, 64)), a.Const(4, 64))}
		}},
		{"factors", func(a *expr.Arena, x, y, z expr.ID) []expr.ID {
			limit := a.Const(1<<16, 64)
			one := a.Const(1, 64)
			return []expr.ID{a.Ult(one, x), a.Ult(one, y), a.Ult(x, limit), a.Ult(y, limit), a.Eq(a.Mul(x, y), a.Const(65521*65519, 64))}
		}},
	} {
		b.Run(test.name, func(b *testing.B) {
			a := expr.NewArena()
			conj := test.conj(a, a.Var("x", 64), a.Var("y", 64), a.Var("z", 64))
			s := solve.New(a, solve.Options{})
			for b.Loop() {
				s.Reset()
				if r, _ := check(b, s, conj); r == solve.Unknown {
					b.Fatal(r)
				}
			}
		})
	}
}
