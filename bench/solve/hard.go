package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
)

// question is a conjunction over variables of 64 bits.
type question struct {
	name string
	want solve.Result
	conj func(b builder) []expr.ID
}

// builder shortens the writing of expressions of 64 bits.
type builder struct{ *expr.Arena }

func (b builder) v(name string) expr.ID { return b.Var(name, 64) }
func (b builder) c(n uint64) expr.ID    { return b.Const(n, 64) }

// questions are those that search has to answer and circuits make hard.
var questions = []question{
	{"x*y = 1000003*999983", solve.Sat, func(b builder) []expr.ID {
		x, y := b.v("x"), b.v("y")
		return []expr.ID{b.Ult(b.c(1), x), b.Ult(b.c(1), y), b.Eq(b.Mul(x, y), b.c(1000003*999983))}
	}},
	{"x/y = 77, x%y = 1234", solve.Sat, func(b builder) []expr.ID {
		x, y := b.v("x"), b.v("y")
		return []expr.ID{b.Eq(b.UDiv(x, y), b.c(77)), b.Eq(b.URem(x, y), b.c(1234)), b.Ult(b.c(5000), y)}
	}},
	{"x/10%10 digits sum to 60", solve.Sat, func(b builder) []expr.ID {
		x := b.v("x")
		sum := b.c(0)
		rest := x
		for range 7 {
			sum = b.Add(sum, b.URem(rest, b.c(10)))
			rest = b.UDiv(rest, b.c(10))
		}
		return []expr.ID{b.Ult(x, b.c(10_000_000)), b.Eq(sum, b.c(60))}
	}},
	{"hash of three characters", solve.Sat, func(b builder) []expr.ID {
		h := b.Const(2166136261, 32)
		var conj []expr.ID
		want := uint32(2166136261)
		for i, c := range "bug" {
			x := b.Var(fmt.Sprintf("s%d", i), 8)
			conj = append(conj, b.Ule(b.Const('a', 8), x), b.Ule(x, b.Const('z', 8)))
			h = b.Mul(b.Xor(h, b.ZExt(x, 32)), b.Const(16777619, 32))
			want = (want ^ uint32(c)) * 16777619
		}
		return append(conj, b.Eq(h, b.Const(uint64(want), 32)))
	}},
	{"date: day 366 of a leap year after 2100", solve.Sat, func(b builder) []expr.ID {
		y, d := b.v("year"), b.v("day")
		days := b.Add(b.Mul(b.c(365), y), b.Sub(b.Add(b.UDiv(y, b.c(4)), b.UDiv(y, b.c(400))), b.UDiv(y, b.c(100))))
		leap := b.And(b.Eq(b.URem(y, b.c(4)), b.c(0)), b.Or(b.Ne(b.URem(y, b.c(100)), b.c(0)), b.Eq(b.URem(y, b.c(400)), b.c(0))))
		return []expr.ID{b.Ult(b.c(2100), y), b.Ult(y, b.c(3000)), leap, b.Ule(b.c(1), d), b.Ule(d, b.c(366)),
			b.Eq(b.URem(b.Add(days, d), b.c(7)), b.c(3)), b.Ult(b.c(365), d)}
	}},
	{"overflow: x*y/y != x", solve.Sat, func(b builder) []expr.ID {
		x, y := b.v("x"), b.v("y")
		return []expr.ID{b.Ne(y, b.c(0)), b.Ne(b.UDiv(b.Mul(x, y), y), x), b.Ult(x, b.c(1<<40)), b.Ult(y, b.c(1<<40))}
	}},
	{"no overflow: x, y < 2^16, 32 bits", solve.Unsat, func(b builder) []expr.ID {
		x, y := b.ZExt(b.Var("x", 16), 32), b.ZExt(b.Var("y", 16), 32)
		return []expr.ID{b.Ult(b.Const(0xFFFE0001, 32), b.Mul(x, y))}
	}},
	{"x*y != y*x", solve.Unsat, func(b builder) []expr.ID {
		x, y := b.v("x"), b.v("y")
		return []expr.ID{b.Ne(b.Mul(x, y), b.Mul(y, x))}
	}},
	{"(x+y)*z != x*z+y*z", solve.Unsat, func(b builder) []expr.ID {
		x, y, z := b.v("x"), b.v("y"), b.v("z")
		return []expr.ID{b.Ne(b.Mul(b.Add(x, y), z), b.Add(b.Mul(x, z), b.Mul(y, z)))}
	}},
	{"(x/y)*y+x%y != x", solve.Unsat, func(b builder) []expr.ID {
		x, y := b.v("x"), b.v("y")
		return []expr.ID{b.Ne(b.Add(b.Mul(b.UDiv(x, y), y), b.URem(x, y)), x)}
	}},
	{"x%y >= y, y > 0", solve.Unsat, func(b builder) []expr.ID {
		x, y := b.v("x"), b.v("y")
		return []expr.ID{b.Ult(b.c(0), y), b.Ule(y, b.URem(x, y))}
	}},
	{"x/10 > x", solve.Unsat, func(b builder) []expr.ID {
		x := b.v("x")
		return []expr.ID{b.Ult(x, b.UDiv(x, b.c(10)))}
	}},
	{"x/y > x, y > 0", solve.Unsat, func(b builder) []expr.ID {
		x, y := b.v("x"), b.v("y")
		return []expr.ID{b.Ult(b.c(0), y), b.Ult(x, b.UDiv(x, y))}
	}},
	{"(lo+hi)/2 out of lo..hi", solve.Sat, func(b builder) []expr.ID {
		lo, hi := b.v("lo"), b.v("hi")
		mid := b.SDiv(b.Add(lo, hi), b.c(2))
		return []expr.ID{b.Sle(b.c(0), lo), b.Slt(lo, hi), b.Slt(mid, lo)}
	}},
	{"lo+(hi-lo)/2 out of lo..hi", solve.Unsat, func(b builder) []expr.ID {
		lo, hi := b.v("lo"), b.v("hi")
		mid := b.Add(lo, b.SDiv(b.Sub(hi, lo), b.c(2)))
		return []expr.ID{b.Sle(b.c(0), lo), b.Slt(lo, hi), b.Or(b.Slt(mid, lo), b.Slt(hi, mid))}
	}},
	{"x*x = 2 mod 2^64", solve.Unsat, func(b builder) []expr.ID {
		x := b.v("x")
		return []expr.ID{b.Eq(b.Mul(x, x), b.c(2))}
	}},
}

// hardLimit is how long another solver may take for a question.
const hardLimit = 10 * time.Second

// hardRepeats is how often each question is asked; the median counts.
const hardRepeats = 5

// hard prints how long each question takes.
func hard(ctx context.Context, out io.Writer) error {
	all := append([]*solver{builtin}, others(hardLimit)...)
	columns := []string{"64 bits, a fresh question"}
	for _, s := range all {
		defer s.close()
		columns = append(columns, s.name)
	}
	t := table.New(out, append(columns, "best other over everyway")...)
	for _, q := range questions {
		cells := []any{fmt.Sprintf("%s: %v", q.name, q.want)}
		var medians []time.Duration
		for _, s := range all {
			var times []time.Duration
			var result solve.Result
			for range hardRepeats {
				b := builder{expr.NewArena()}
				ask := s.start(b.Arena)
				// Another question has processes forget the last one.
				if _, err := ask(ctx, []expr.ID{b.Eq(b.v("other"), b.c(1))}); err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				start := time.Now()
				conj := q.conj(b)
				var err error
				if result, err = ask(ctx, conj); err != nil {
					return fmt.Errorf("%s: %w", q.name, err)
				}
				times = append(times, time.Since(start))
				if times[0] > 2*time.Second {
					break
				}
			}
			if result != q.want && result != solve.Unknown {
				return fmt.Errorf("%s: %s says %v, want %v", q.name, s.name, result, q.want)
			}
			median := table.Median(times)
			medians = append(medians, median)
			if result == solve.Unknown {
				cells = append(cells, "unknown, "+table.Short(median))
			} else {
				cells = append(cells, table.Short(median))
			}
		}
		if len(medians) > 1 {
			cells = append(cells, fmt.Sprintf("%.1fx", float64(slices.Min(medians[1:]))/float64(medians[0])))
		}
		t.Row(cells...)
	}
	return t.Flush()
}
