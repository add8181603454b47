package race

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestClocks compares clocks with maps under random operations.
func TestClocks(t *testing.T) {
	const slots, clocks = 400, 12
	r := rand.New(rand.NewPCG(1, 2))
	var got [clocks]Clock
	var want [clocks]map[int32]uint32
	for i := range want {
		want[i] = map[int32]uint32{}
	}
	for step := range 20_000 {
		i, j := r.IntN(clocks), r.IntN(clocks)
		switch r.IntN(9) {
		case 0:
			got[i] = got[i].Empty()
			clear(want[i])
		case 1:
			got[i].Assign(&got[j])
			want[i] = maps.Clone(want[j])
		case 2, 3:
			got[i].Join(&got[j])
			for slot, time := range want[j] {
				want[i][slot] = max(want[i][slot], time)
			}
		case 4:
			got[i].Meet(&got[j])
			for slot, time := range want[i] {
				want[i][slot] = min(time, want[j][slot])
			}
		default:
			slot := r.Int32N(slots)
			time := got[i].At(slot) + r.Uint32N(3)
			if time > 0 {
				got[i].Set(slot, time)
				want[i][slot] = time
			}
		}
		for slot := range int32(slots) {
			if g, w := got[i].At(slot), want[i][slot]; g != w {
				t.Fatalf("step %d: entry %d of clock %d is %d, want %d", step, slot, i, g, w)
			}
		}
	}
}

// TestClocksShare tests that clocks with equal entries share their trees, and that
// joining an earlier clock allocates nothing.
func TestClocksShare(t *testing.T) {
	var a, b Clock
	for slot := range int32(1000) {
		a.Set(slot, uint32(slot)+1)
	}
	b.Assign(&a)
	b.Set(firstSlots, 1) // earlier than in a
	if b.more != a.more {
		t.Error("setting an earlier entry made a new tree")
	}
	b.Set(700, 5000)
	b.Join(&a)
	a.Join(&b)
	if a.more != b.more {
		t.Error("clocks that have seen the same do not share it")
	}
	if n := testing.AllocsPerRun(100, func() { a.Join(&b) }); n > 0 {
		t.Errorf("joining equal clocks takes %v allocations", n)
	}
}
