// Package freedom has tests with inputs that matter and others that do not.
package freedom

import (
	"sync/atomic"
	"testing"

	"github.com/everyway-go/everyway/sym"
)

func FuzzUnused(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b uint8) { t.Error() })
}

func FuzzDecidesNothing(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b uint8) {
		n := 0
		if a > 7 {
			n++
		}
		if a > 100 {
			n++
		}
		if b >= 3 {
			t.Error("b")
		}
	})
}

func FuzzTogether(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b uint8) {
		if a < 200 || b < 200 {
			t.Error("one of the two is enough")
		}
	})
}

func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, s, u, v string) {
		n := 0
		for _, c := range []byte(v) {
			n += int(c)
		}
		if len(s) > 1 && len(u) > 0 && u[0] == 'x' {
			t.Error("two bytes, and x")
		}
	})
}

func FuzzMessage(f *testing.F) {
	f.Fuzz(func(t *testing.T, a int64) { t.Errorf("the value is %d", a) })
}

func TestDrawn(t *testing.T) {
	if sym.Bool("b") {
		if sym.Int8("n") < -2 {
			t.Error("negative")
		}
	} else if sym.Float64("x") > 1 {
		t.Error("greater")
	}
}

func TestSchedule(t *testing.T) {
	var x atomic.Int32
	n := sym.Int32("n")
	go x.Store(n)
	if m := sym.Int32("m"); x.Load() == 0 && n != 0 && m <= 5 {
		t.Error("too early")
	}
}
