package clock

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
	"github.com/everyway-go/everyway/internal/vm/symbolic"
)

// Wall returns what the reading r is in seconds and nanoseconds since the Unix epoch, as
// numbers of 64 and 32 bits.
func Wall(a *expr.Arena, r race.Reading, bubbled bool) (sec, nsec symbolic.Operand) {
	epoch := state.Epoch(bubbled)
	ns := r.Value + epoch
	sec.N, nsec.N = uint64(ns/1e9), uint64(ns%1e9)
	if r.Time != expr.None {
		since, second := a.Add(r.Time, a.Const(uint64(epoch), 64)), a.Const(1e9, 64)
		sec.Sym = symbolic.UnlessConst(a, a.UDiv(since, second))
		nsec.Sym = symbolic.UnlessConst(a, a.Extract(a.URem(since, second), 0, 32))
	}
	return sec, nsec
}

// Words returns the first two words of the time.Time for the reading r, wall and ext, as
// package time defines them. In a bubble it has no monotonic reading.
func Words(a *expr.Arena, r race.Reading, bubbled bool) (wall, ext symbolic.Operand) {
	const (
		unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400
		wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400
		hasMonotonic   = 1 << 63
		nsecShift      = 30
	)
	sec, nsec := Wall(a, r, bubbled)
	number := func(n uint64) symbolic.Operand { return symbolic.Operand{Word: heap.Word{N: n}} }
	wall = nsec
	if wall.Sym != expr.None {
		wall.Sym = a.ZExt(wall.Sym, 64)
	}
	if bubbled || (sec.N+unixToInternal-wallToInternal)>>33 != 0 {
		return wall, symbolic.Arith(a, code.Add, code.Int64, sec, number(unixToInternal))
	}
	wall.N |= hasMonotonic | (sec.N+unixToInternal-wallToInternal)<<nsecShift
	if wall.Sym != expr.None || sec.Sym != expr.None {
		high := a.Shl(a.Add(sec.Expr(a, code.Int64), a.Const(unixToInternal-wallToInternal, 64)), a.Const(nsecShift, 64))
		wall.Sym = a.Or(a.Or(high, a.Const(hasMonotonic, 64)), symbolic.Operand{Word: nsec.Word, Sym: wall.Sym}.Expr(a, code.Int64))
	}
	ext.N = uint64(r.Value + 1)
	if r.Time != expr.None {
		ext.Sym = a.Add(r.Time, a.Const(1, 64))
	}
	return wall, ext
}
