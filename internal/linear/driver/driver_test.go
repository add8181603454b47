package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

func TestResult(t *testing.T) {
	one := new(struct{ n int })
	number := 7
	for _, test := range []struct {
		values []any
		want   string
	}{
		{nil, ""},
		{[]any{1, true, "a", nil}, ` = 1, true, "a", nil`},
		{[]any{uint8(3), int16(-2), 1.5, float32(0.25), 2i}, " = 3, -2, 1.5, 0.25, (0+2i)"},
		{[]any{[]int{1, 2}, []int(nil), [2]bool{true}}, " = [1 2], [], [true false]"},
		{[]any{map[string]int{"b": 2, "a": 1}}, ` = map["a":1 "b":2]`},
		{[]any{struct {
			a int
			b any
		}{1, "x"}}, ` = {1 "x"}`},
		{[]any{errors.New("gone"), error(nil), fmt.Errorf("two: %w", errors.New("x"))}, " = gone, nil, two: x"},
		{[]any{one, (*int)(nil), one, &number}, " = pointer1, nil, pointer1, pointer2->7"},
		{[]any{func() {}, (func())(nil)}, " = func, nil"},
		{[]any{[]any{[]any{[]any{[]any{[]any{1}}}}}}, " = [[[[[...]]]]]"},
	} {
		l := &linearTest[int]{}
		h := &linearHistory{ops: []linearOp{{returned: true}}}
		h.ops[0].result.add(test.values...)
		if got := l.texts(h)[0]; got != test.want {
			t.Errorf("%v: got %q, want %q", test.values, got, test.want)
		}
	}
}

func TestPanic(t *testing.T) {
	for _, p := range []any{"text", errors.New("an error"), 3} {
		var r linearResult
		func() {
			defer r.recovered()
			r.called(1, "x")
			panic(p)
		}()
		want := fmt.Sprintf("(1, \"x\")panic: %v", p)
		if p == "text" {
			want = `(1, "x")panic: "text"`
		}
		if got := string(r.text); got != want || !r.panicked {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Pointers are the same up to renaming: what returns one that another call has returned does so in both histories, and those that are
// known are themselves.
func TestSame(t *testing.T) {
	p := make([]*struct{ n int }, 6)
	for i := range p {
		p[i] = new(struct{ n int })
	}
	known := func(i int) []unsafe.Pointer { return []unsafe.Pointer{unsafe.Pointer(p[i])} }
	for _, test := range []struct {
		a, b []int
		want bool
	}{
		{[]int{2, 3, 2}, []int{4, 5, 4}, true},
		{[]int{2, 3, 2}, []int{3, 2, 3}, true},
		{[]int{2, 3, 2}, []int{4, 5, 5}, false},
		{[]int{2, 3}, []int{4, 4}, false},
		{[]int{2, 2}, []int{4, 5}, false},
		{[]int{0, 2}, []int{1, 4}, true},
		{[]int{0, 2}, []int{4, 1}, false},
		{[]int{0}, []int{0}, false}, // the value of the other history
	} {
		var s linearSame
		s.begin(known(0), known(1))
		same := true
		for i := range test.a {
			var a, b linearResult
			a.add(p[test.a[i]])
			b.add(p[test.b[i]])
			same = same && s.results(&a, &b)
		}
		if same != test.want {
			t.Errorf("%v and %v: got %t, want %t", test.a, test.b, same, test.want)
		}
	}
}

// A buffer of one element, which is put and taken, and where two that meet block for ever.
type buffer struct {
	c      chan int
	inside *atomic.Int32
}

func bufferTest() *linearTest[buffer] {
	return &linearTest[buffer]{
		of:       "buffer",
		makes:    []linearMake[buffer]{{"make(buffer, 1)", func() (buffer, bool) { return buffer{make(chan int, 1), new(atomic.Int32)}, true }}},
		names:    []string{"x"},
		pointers: func(b buffer) []unsafe.Pointer { return linearAddresses(b.c) },
		calls: []linearCall[buffer]{
			{name: "Put(1)", method: "Put", do: func(b buffer, r *linearResult) { b.c <- 1 }},
			{name: "Take()", method: "Take", do: func(b buffer, r *linearResult) { r.add(<-b.c) }},
			{name: "Meet()", method: "Meet", do: func(b buffer, r *linearResult) {
				b.inside.Add(1)
				time.Sleep(time.Second)
				if b.inside.Load() > 1 {
					select {}
				}
				b.inside.Add(-1)
			}},
		},
	}
}

// failures keeps what a test says.
type failures struct{ list []string }

func (*failures) Helper()             {}
func (*failures) Skip(...any)         {}
func (f *failures) Error(args ...any) { f.list = append(f.list, fmt.Sprint(args...)) }

// Calls that block are explained if one of them blocks when the others have been made alone. In a bubble, time passes
// when all goroutines are blocked.
func TestBlocked(t *testing.T) {
	const put, take, meet = 0, 1, 2
	for _, test := range []struct {
		name   string
		choice []uint8
		want   string
	}{
		{"take from nothing", []uint8{0, take, take}, ""},
		{"put into what is full", []uint8{0, put, put}, ""},
		{"one of each", []uint8{0, put, take}, ""},
		{"one that meets nobody", []uint8{0, take, meet}, ""},
		{"two that meet", []uint8{0, meet, meet}, `not linearizable: Meet() blocks for ever, and no order of the calls made one at a time ends there
    x := make(buffer, 1)
    goroutine #1  [Meet() blocks…
    goroutine #2  [Meet() blocks…
    alone         then Meet() does not block`},
	} {
		for _, orders := range []*linearOrders{nil, linearOrdersOf(2, 1)} {
			at := uint8(2) // of all orders; of those that are useful the first
			if orders != nil {
				at = 0
			}
			t.Run(fmt.Sprint(test.name, orders != nil), func(t *testing.T) {
				t.Parallel()
				var got failures
				defer func() {
					// The goroutines that are blocked for ever are left behind.
					if p := recover(); p != nil && !strings.Contains(fmt.Sprint(p), "blocked") {
						panic(p)
					}
					if strings.Join(got.list, "") != test.want {
						t.Errorf("got %q, want %q", got.list, test.want)
					}
				}()
				synctest.Test(t, func(t *testing.T) {
					bufferTest().try(&got, linearSize{goroutines: 2, calls: 1, orders: orders}, append(slices.Clip(test.choice), at)...)
				}) // both are made at once
			})
		}
	}
}

func TestBars(t *testing.T) {
	l := bufferTest()
	op := func(index, goroutine int, before ...int) linearOp {
		o := linearOp{index: index, goroutine: goroutine, returned: true, before: make([]bool, 5)}
		for _, b := range before {
			o.before[b] = true
		}
		return o
	}
	h := &linearHistory{
		alone: 1, first: []int{1, 3, 5},
		ops: []linearOp{op(0, -1), op(1, 0, 0), op(0, 0, 0, 1, 3), op(0, 1, 0), op(1, 1, 0, 3)},
	}
	h.ops[1].result.add(1)
	h.ops[4].returned = false
	const want = `    before        Put(1)
    goroutine #1  [Take() = 1] [Put(1)-------]
    goroutine #2  [Put(1)----] [Take() blocks…
`
	if got := l.bars(h, l.texts(h)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
