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

// BenchmarkArrays has slices solved that read arrays, by the circuit alone.
func BenchmarkArrays(b *testing.B) {
	bytes := func(a *expr.Arena, n int) []expr.ID {
		vars := make([]expr.ID, n)
		for i := range vars {
			vars[i] = a.Var(fmt.Sprintf("s[%d]", i), 8)
		}
		return vars
	}
	histogram := func(a *expr.Arena, input []expr.ID, width uint8) expr.ID {
		counts := a.Table(8, nil, a.Const(0, width))
		for _, c := range input {
			counts = a.Store(counts, c, a.Add(a.Select(counts, c), a.Const(1, width)))
		}
		return counts
	}
	scrambled := func(a *expr.Arena) expr.ID {
		r := rand.New(rand.NewPCG(5, 6))
		elems := make([]expr.ID, 256)
		for i, v := range r.Perm(256) {
			elems[i] = a.Const(uint64(v), 8)
		}
		return a.Table(8, elems, elems[255])
	}
	for _, test := range []struct {
		name string
		conj func(a *expr.Arena) []expr.ID
		want solve.Result
	}{
		{"histogram/sat", func(a *expr.Arena) []expr.ID {
			input := bytes(a, 20)
			counts := histogram(a, input, 64)
			return []expr.ID{
				a.Eq(a.Select(counts, a.Const('a', 8)), a.Const(7, 64)),
				a.Eq(a.Select(counts, a.Const('b', 8)), a.Const(9, 64)),
				a.Eq(a.Select(counts, input[3]), a.Const(3, 64)),
			}
		}, solve.Sat},
		{"histogram/unsat", func(a *expr.Arena) []expr.ID {
			counts := histogram(a, bytes(a, 8), 64)
			return []expr.ID{
				a.Eq(a.Select(counts, a.Const('a', 8)), a.Const(5, 64)),
				a.Eq(a.Select(counts, a.Const('b', 8)), a.Const(4, 64)),
			}
		}, solve.Unsat},
		{"seen/sat", func(a *expr.Arena) []expr.ID { // all different letters
			seen := a.Table(8, nil, a.Bool(false))
			var conj []expr.ID
			for _, c := range bytes(a, 26) {
				conj = append(conj, a.Ult(a.Sub(c, a.Const('a', 8)), a.Const(26, 8)), a.Not(a.Select(seen, c)))
				seen = a.Store(seen, c, a.Bool(true))
			}
			return conj
		}, solve.Sat},
		{"seen/unsat", func(a *expr.Arena) []expr.ID {
			seen := a.Table(8, nil, a.Bool(false))
			var conj []expr.ID
			for _, c := range bytes(a, 6) {
				conj = append(conj, a.Ult(a.Sub(c, a.Const('a', 8)), a.Const(5, 8)), a.Not(a.Select(seen, c)))
				seen = a.Store(seen, c, a.Bool(true))
			}
			return conj
		}, solve.Unsat},
		{"long histogram/sat", func(a *expr.Arena) []expr.ID {
			counts := histogram(a, bytes(a, 120), 8)
			return []expr.ID{
				a.Eq(a.Select(counts, a.Const('a', 8)), a.Const(20, 8)),
				a.Eq(a.Select(counts, a.Const('b', 8)), a.Const(90, 8)),
			}
		}, solve.Sat},
		{"long seen/unsat", func(a *expr.Arena) []expr.ID { // written, and nothing else was
			seen := a.Table(8, nil, a.Bool(false))
			var conj []expr.ID
			for _, c := range bytes(a, 120) {
				conj = append(conj, a.Ult(c, a.Const(100, 8)))
				seen = a.Store(seen, c, a.Bool(true))
			}
			return append(conj, a.Select(seen, a.Const(200, 8)))
		}, solve.Unsat},
		{"permutation/sat", func(a *expr.Arena) []expr.ID { // a cycle in symbolic contents
			next := bytes(a, 64)
			table := a.Table(8, next, a.Const(0, 8))
			conj := []expr.ID{}
			for _, x := range next {
				conj = append(conj, a.Ult(x, a.Const(64, 8)))
			}
			x := a.Var("x", 8)
			y := x
			for range 5 {
				y = a.Select(table, y)
				conj = append(conj, a.Ult(x, y))
			}
			return append(conj, a.Eq(a.Select(table, y), x))
		}, solve.Sat},
		{"table/sat", func(a *expr.Arena) []expr.ID {
			t, in := scrambled(a), bytes(a, 4)
			x := a.Select(t, in[0])
			for _, c := range in[1:] {
				x = a.Select(t, a.Xor(x, c))
			}
			return []expr.ID{a.Eq(x, a.Const(77, 8)), a.Ult(in[0], a.Const(9, 8)), a.Ult(in[3], in[0]), a.Eq(a.Select(t, a.Xor(in[1], in[2])), a.Const(3, 8))}
		}, solve.Sat},
		{"table/unsat", func(a *expr.Arena) []expr.ID { // two places of one value
			t, in := scrambled(a), bytes(a, 2)
			return []expr.ID{a.Ult(in[0], in[1]), a.Eq(a.Select(t, in[0]), a.Select(t, in[1]))}
		}, solve.Unsat},
		{"big table/unsat", func(a *expr.Arena) []expr.ID {
			elems := make([]expr.ID, 4096)
			for i := range elems {
				elems[i] = a.Const(uint64(i*i*2654435761)|1, 32)
			}
			x := a.Select(a.Table(12, elems, elems[0]), a.Var("x", 12))
			return []expr.ID{a.Eq(a.And(x, a.Const(0xff01, 32)), a.Const(0x4200, 32))}
		}, solve.Unsat},
	} {
		b.Run(test.name, func(b *testing.B) {
			a := expr.NewArena()
			conj := test.conj(a)
			var stats solve.Stats
			s := solve.New(a, solve.Options{Stats: &stats})
			for b.Loop() {
				s.Reset()
				if r, _ := check(b, s, conj); r != test.want {
					b.Fatal(r)
				}
			}
			b.ReportMetric(float64(stats.Work)/float64(b.N), "work/op")
			b.ReportMetric(float64(stats.Guessed)/float64(b.N), "guessed/op")
		})
	}
}
