package clock

import (
	"testing"
	"time"
	"unsafe"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// timeOf returns the time.Time with the given words.
func timeOf(wall, ext uint64) time.Time {
	words := struct {
		wall, ext uint64
		loc       *time.Location
	}{wall, ext, time.UTC}
	return *(*time.Time)(unsafe.Pointer(&words))
}

// TestWords compares times made of words with what package time says of them.
func TestWords(t *testing.T) {
	a := expr.NewArena()
	for _, since := range []int64{0, 1, 999_999_999, 1e9, 1e9 + 1, 3600e9 + 5, 1 << 60} {
		for _, bubbled := range []bool{false, true} {
			start, first := Words(a, race.Reading{}, bubbled)
			want := time.Unix(0, state.Epoch(bubbled)+since)
			wall, ext := Words(a, race.Reading{Value: since}, bubbled)
			got := timeOf(wall.N, ext.N)
			if !got.Equal(want) || got.UnixNano() != want.UnixNano() {
				t.Errorf("%d after the start, in a bubble %t: %v, want %v", since, bubbled, got, want)
			}
			if d := got.Sub(timeOf(start.N, first.N)); int64(d) != since {
				t.Errorf("%d after the start, in a bubble %t: %v after the start", since, bubbled, d)
			}
		}

		// The same as expressions of a reading that is later by x.
		x := a.ZExt(a.Var("x", 32), 64)
		r := race.Reading{Value: since, Time: a.Add(a.Const(uint64(since), 64), x)}
		wall, ext := Words(a, r, false)
		for _, later := range []uint64{0, 1, 999_999_999, 1e9, 1<<32 - 1} {
			wantWall, wantExt := Words(a, race.Reading{Value: since + int64(later)}, false)
			value := func(expr.ID) uint64 { return later }
			if a.Eval(wall.Sym, value) != wantWall.N || a.Eval(ext.Sym, value) != wantExt.N {
				t.Errorf("%d after the start and %d later: not the words of the sum", since, later)
			}
		}
	}
}

// TestLater checks the latest of several readings, as an expression and as a number.
func TestLater(t *testing.T) {
	a := expr.NewArena()
	m := &state.State{Arena: a}
	x, y := a.ZExt(a.Var("x", 8), 64), a.ZExt(a.Var("y", 8), 64)
	at := func(base uint64, by expr.ID) expr.ID { return a.Add(a.Const(base, 64), by) }
	for _, c := range []struct {
		name     string
		readings []race.Reading
		want     expr.ID
	}{
		{"one after the other", []race.Reading{{Time: at(1000, x), Latest: 1255}, {Time: at(1000, a.Add(x, y)), Latest: 1510}}, at(1000, a.Add(x, y))},
		{"too early to matter", []race.Reading{{Time: at(500, x), Latest: 755}, {Time: at(1000, y), Latest: 1255}}, at(1000, y)},
		{"either", []race.Reading{{Time: at(1000, x), Latest: 1255}, {Time: at(1000, y), Latest: 1255}}, a.Ite(a.Slt(at(1000, x), at(1000, y)), at(1000, y), at(1000, x))},
	} {
		for _, v := range [][2]uint64{{0, 0}, {3, 7}, {200, 20}} {
			value := func(e expr.ID) uint64 {
				if a.VarName(e) == "x" {
					return v[0]
				}
				return v[1]
			}
			for i := range c.readings {
				c.readings[i].Value = int64(a.Eval(c.readings[i].Time, value))
			}
			got := afterAll(m, 900, race.NewReadings(a, c.readings...), 0)
			if want := a.Eval(c.want, value); uint64(got.Value) != want || a.Eval(got.Time, value) != want {
				t.Errorf("%s, %v: %d and %d, want %d", c.name, v, got.Value, a.Eval(got.Time, value), want)
			}
		}
	}
}
