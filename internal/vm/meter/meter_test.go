package meter

import (
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/run"
)

// stackOf returns the number of a stack of calls at instructions of function 1.
func stackOf(t *Table, instrs ...int32) Stack {
	for _, i := range instrs {
		if !t.Push(run.SiteID{Func: 1, Instr: i}) {
			break
		}
	}
	return t.Number()
}

func TestTable(t *testing.T) {
	table := newTable()
	if got := stackOf(&table); got != None {
		t.Errorf("no frames: %d", got)
	}
	a, b := stackOf(&table, 1, 2), stackOf(&table, 1, 3)
	if a == b || a < first || b < first {
		t.Errorf("stacks %d and %d", a, b)
	}
	if again := stackOf(&table, 1, 2); again != a {
		t.Errorf("%d, then %d", a, again)
	}
	if got := table.Frames(b); !slices.Equal(got, []run.SiteID{{Func: 1, Instr: 1}, {Func: 1, Instr: 3}}) {
		t.Errorf("frames %v", got)
	}
	deep := make([]int32, 3*MaxDepth)
	for i := range deep {
		deep[i] = int32(i)
	}
	whole := stackOf(&table, deep...)
	deep[MaxDepth] = 7 // too far out
	if got := stackOf(&table, deep...); got != whole || len(table.Frames(got)) != MaxDepth {
		t.Errorf("%d frames are stack %d, then %d with %d frames", len(deep), whole, got, len(table.Frames(got)))
	}
}

// When there are too many stacks, new ones have one frame, and known ones keep their numbers.
func TestManyStacks(t *testing.T) {
	table := newTable()
	var numbers []Stack
	for i := range int32(2 * maxStacks) {
		numbers = append(numbers, stackOf(&table, 5, i))
	}
	if n := len(table.stacks); n != maxStacks+1 {
		t.Errorf("%d stacks", n)
	}
	for i, n := range numbers {
		if stackOf(&table, 5, int32(i)) != n {
			t.Fatalf("stack %d has another number than before", i)
		}
	}
	if got := table.Frames(numbers[len(numbers)-1]); !slices.Equal(got, []run.SiteID{{Func: 1, Instr: 5}}) {
		t.Errorf("the last has frames %v", got)
	}
}

// A meter charges what was executed and how long it took to the stack at each sample, and only while it counts.
func TestMeter(t *testing.T) {
	var now time.Duration
	m := New(100, func() time.Duration { return now })
	tank := &Tank{Fuel: 1000}
	tank.SetMeter(m)
	tank.SetFuel(1000)
	if tank.Fuel != 1000 {
		t.Errorf("fuel %d for a meter that does not count", tank.Fuel)
	}
	tank.Fuel -= 500
	tank.SetFuel(1000)
	m.Start()
	now = 7
	tank.SetFuel(250)
	a, b := stackOf(&m.Table, 1), stackOf(&m.Table, 2)
	checks := 0
	spend := func(n int64, at Stack) {
		if tank.Fuel -= n; tank.Fuel < 0 && !tank.Sampled(func() Stack { return at }) {
			checks++
		}
	}
	spend(60, a)
	spend(60, b) // the sample
	m.Stop()
	now = 1000
	m.Start()
	now = 1003
	m.Step(a)
	spend(101, a) // the second
	if left := tank.Unspent(); left != 250-221 || checks != 0 {
		t.Errorf("%d left, limits checked %d times", left, checks)
	}
	spend(30, a)
	if left := tank.Unspent(); left != -1 || checks != 1 {
		t.Errorf("%d left, limits checked %d times", left, checks)
	}
	got := map[Stack]Cost{}
	m.Collect(func(at Stack, c Cost) { got[at] = c })
	want := map[Stack]Cost{a: {Steps: 1, Instructions: 101, Time: 3}, b: {Instructions: 120, Time: 7}}
	if len(got) != 2 || got[a] != want[a] || got[b] != want[b] {
		t.Errorf("got %v, want %v", got, want)
	}
	m.Collect(func(at Stack, c Cost) { t.Errorf("%d has cost %v since", at, c) })
}
