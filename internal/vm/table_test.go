package vm

import (
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
)

// The expression for an element of a table has the element's value at every
// index.
func TestElement(t *testing.T) {
	m := &Machine{Arena: expr.NewArena()}
	x := m.Arena.Var("i", 64)
	scrambled := make([]byte, 64)
	for i := range scrambled {
		scrambled[i] = byte(i * 37)
	}
	for _, test := range []struct {
		table []byte
		ok    bool
	}{
		{[]byte{7}, true},
		{[]byte("0123456789abcdefghijklmnopqrstuvwxyz"), true},
		{[]byte{0, 0, 0, 1, 1, 0, 5, 6, 7, 7, 255, 0, 1}, true},
		{[]byte{254, 255, 0, 1}, true},
		{scrambled, false},
	} {
		o := &Object{Bytes: append([]byte{99}, test.table...)}
		value, ok := m.element(o, 1, len(test.table), x, code.Uint8)
		if ok != test.ok {
			t.Errorf("%v: an expression: %t, want %t", test.table, ok, test.ok)
		}
		if !ok {
			continue
		}
		for i, want := range test.table {
			if got := m.Arena.Eval(value, func(expr.ID) uint64 { return uint64(i) }); got != uint64(want) {
				t.Errorf("%v: element %d is %d, want %d", test.table, i, got, want)
			}
		}
	}
}

// So has one of signed elements.
func TestElementSigned(t *testing.T) {
	m := &Machine{Arena: expr.NewArena()}
	x := m.Arena.Var("i", 64)
	table := []int64{-2, -1, 0, 1, -5, -5, 100}
	o := &Object{}
	for _, v := range table {
		o.Cells = append(o.Cells, Word{N: uint64(v)})
	}
	value, ok := m.element(o, 0, len(table), x, code.Int16)
	if !ok {
		t.Fatal("no expression")
	}
	for i, want := range table {
		if got := m.Arena.Eval(value, func(expr.ID) uint64 { return uint64(i) }); int16(got) != int16(want) {
			t.Errorf("element %d is %d, want %d", i, int16(got), want)
		}
	}
}
