// Package freedom has tests with inputs that matter and others that do not.
package freedom

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

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

func ExamplePrinted() {
	fmt.Println(sym.Int8("n"))
	// Output: 7
}

func FuzzMap(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b, c uint8) {
		m := map[uint8]uint8{a: c, b: c}
		if len(m) == 2 {
			t.Error("two keys")
		}
	})
}

func FuzzSleep(f *testing.F) {
	f.Fuzz(func(t *testing.T, n, m uint8) {
		var x atomic.Int32
		go func() {
			time.Sleep(5 * time.Millisecond)
			x.Store(int32(m))
		}()
		time.Sleep(time.Duration(n) * time.Millisecond)
		if x.Load() == 0 {
			t.Error("too early")
		}
	})
}

func FuzzChannel(f *testing.F) {
	f.Fuzz(func(t *testing.T, size, value uint8) {
		c := make(chan uint8, size%4)
		c <- value
		select {
		case c <- value:
		default:
			t.Error("full")
		}
	})
}

func FuzzLibrary(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, b []byte, n int16, k uint8) {
		list := []int{int(n), 5, int(k)}
		sort.Ints(list)
		if strings.Contains(s, "ab") && bytes.HasPrefix(b, []byte{1}) && strconv.Itoa(int(n)) == "12" && list[2] == 12 {
			t.Error("found")
		}
	})
}

func FuzzDigest(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b uint8) {
		if sha256.Sum256([]byte{a})[0] == 0x6e {
			t.Error("found")
		}
	})
}

func FuzzIndex(f *testing.F) {
	f.Fuzz(func(t *testing.T, i, j uint8) {
		var table [4]int
		table[j&3] = 1
		if table[i] == 0 {
			t.Error("not set")
		}
	})
}

func FuzzDeadlock(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b uint8) {
		c := make(chan uint8)
		if a != 0 {
			c <- b
		}
	})
}
