package compile_test

import (
	"testing"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/codetest"
)

// TestBisimulation counts the calls in functions, and those of them that do not continue as another one does.
func TestBisimulation(t *testing.T) {
	p, pkg := codetest.Compile(t, `package p

import "sync/atomic"

var n atomic.Int64

func take() int

func round(max int) {
	for i := take(); i < max; i = take() {
		n.Store(1)
	}
}

func head() {
	for take() > 0 {
	}
}

func sides(i int) {
	if i == 0 {
		n.Store(1)
		n.Load()
	} else {
		n.Store(1)
		n.Load()
	}
	n.Add(1)
}

func parted(i int) {
	if i == 0 {
		n.Store(1)
		n.Load()
		n.Store(2)
	} else {
		n.Store(1)
		n.Load()
		n.Store(3)
	}
}

func others(i int) {
	if i == 0 {
		n.Store(1)
	} else {
		n.Store(2)
	}
}

func row() {
	n.Add(1)
	n.Add(1)
	n.Add(1)
}

func result(i int) int {
	if i == 0 {
		return take() + 1
	}
	return take() + 2
}

func loops(m map[int]int, i int) {
	if i == 0 {
		for range m {
			n.Add(1)
		}
	} else {
		n.Add(1)
	}
}
`)
	for name, want := range map[string]struct{ calls, alone int }{
		"round":  {3, 1},
		"head":   {1, 1},
		"sides":  {5, 1},
		"parted": {6, 4}, // what is stored last is in a register,
		"others": {2, 0}, // likewise,
		"row":    {3, 3},
		"result": {2, 2},
		"loops":  {2, 2},
	} {
		f := p.Func(pkg.SSA.Func(name))
		b := f.Bisimulation()
		calls, alone := 0, 0
		for i, in := range f.Code {
			if in.Op != code.Call {
				continue
			}
			calls++
			first := b.Representative(i)
			if b.IsAlone(i) {
				alone++
				if first != i {
					t.Errorf("%s: instruction %d is alone, and %d stands for it", name, i, first)
				}
			} else if first > i || b.IsAlone(first) || b.Representative(first) != first || f.Code[first] != in {
				t.Errorf("%s: instruction %d stands for %d", name, first, i)
			}
		}
		if calls != want.calls || alone != want.alone {
			t.Errorf("%s: %d calls, %d of them alone, want %d and %d\n%v", name, calls, alone, want.calls, want.alone, f)
		}
	}
}
