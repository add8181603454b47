package symbolic

import (
	"fmt"
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/vm/heap"
)

// The expression for an element of a table has the element's value at every
// index.
func TestElement(t *testing.T) {
	a := expr.NewArena()
	x := a.Var("i", 64)
	scrambled := make([]byte, 64)
	for i := range scrambled {
		scrambled[i] = byte(i * 37)
	}
	for _, test := range []struct {
		table    []byte
		segments bool
	}{
		{[]byte{7}, true},
		{[]byte("0123456789abcdefghijklmnopqrstuvwxyz"), true},
		{[]byte{0, 0, 0, 1, 1, 0, 5, 6, 7, 7, 255, 0, 1}, true},
		{[]byte{254, 255, 0, 1}, true},
		{scrambled, false}, // too many segments
	} {
		table := Table{Object: &heap.Object{Bytes: append([]byte{99}, test.table...)}, Off: 1, N: len(test.table), k: code.Uint8}
		if ok := table.segmented(a, x) != expr.None; ok != test.segments {
			t.Errorf("%v: segments: %t, want %t", test.table, ok, test.segments)
		}
		value := table.Element(a, x)
		for i, want := range test.table {
			if got := a.Eval(value, func(expr.ID) uint64 { return uint64(i) }); got != uint64(want) {
				t.Errorf("%v: element %d is %d, want %d", test.table, i, got, want)
			}
		}
	}
}

// So has one of signed elements.
func TestElementSigned(t *testing.T) {
	a := expr.NewArena()
	x := a.Var("i", 64)
	elems := []int64{-2, -1, 0, 1, -5, -5, 100}
	o := &heap.Object{}
	for _, v := range elems {
		o.Cells = append(o.Cells, heap.Word{N: uint64(v)})
	}
	signed := Table{Object: o, N: len(elems), k: code.Int16}
	value := signed.Element(a, x)
	for i, want := range elems {
		if got := a.Eval(value, func(expr.ID) uint64 { return uint64(i) }); int16(got) != int16(want) {
			t.Errorf("element %d is %d, want %d", i, int16(got), want)
		}
	}
}

// BenchmarkTable counts characters: 20 loads and stores at a symbolic index of a table.
func BenchmarkTable(b *testing.B) {
	for _, n := range []int{smallTable, 64, 256, 1024, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			a := expr.NewArena()
			indexes := make([]expr.ID, 20)
			for i := range indexes {
				indexes[i] = a.And(a.Var(fmt.Sprint("i", i), 64), a.Const(uint64(n-1), 64))
			}
			mark := a.Mark()
			b.ReportAllocs()
			for b.Loop() {
				o := &heap.Object{Cells: make([]heap.Word, n)}
				t := Table{Object: o, N: n, k: code.Int64}
				for _, x := range indexes {
					count := a.Add(t.Element(a, x), a.Const(1, 64))
					o.SetShadows(0, n, t.AfterStore(a, x, count))
				}
				a.Release(mark)
			}
		})
	}
}
