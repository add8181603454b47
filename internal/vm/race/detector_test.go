package race

import (
	"testing"
)

// TestForget forgets the accesses to an object, and goes back to before.
func TestForget(t *testing.T) {
	const size = maxWhole + 2
	found := 0
	d := &Detector{Found: func(Race) { found++ }}
	d.Begin()
	writer := &Thread{Slot: 0}
	for slot := range int32(3) {
		writer.Clock.Set(slot, 1)
	}
	reader, later := &Thread{Slot: 1}, &Thread{Slot: 2}
	reader.Clock.Set(1, 1)
	later.Clock.Set(2, 1)
	accesses := 0
	access := func(t *Thread, s *Shadow, write bool) {
		for off := range size {
			accesses++
			now := t.Access(0, int32(accesses))
			d.Plain(t, &now, d.Shadow(s), off, 1, write)
		}
	}
	s := d.NewShadow(nil, size, false)
	access(writer, s, true)
	lock := d.Sync(d.Cell(s, 0))
	writer.Release(&lock.Clock)
	access(reader, s, false)
	if found != size {
		t.Fatalf("%d races, want %d", found, size)
	}

	mark := d.Checkpoint()
	d.Forget(s)
	found = 0
	access(later, s, true)
	if found != 0 {
		t.Errorf("%d races with accesses that were forgotten", found)
	}
	if later.Acquire(&d.Sync(d.Cell(s, 0)).Clock); later.Clock.At(0) != 1 {
		t.Error("what the lock had ordered was forgotten")
	}

	d.Rewind(&mark)
	later = &Thread{Slot: 2}
	later.Clock.Set(2, 1)
	access(later, s, true)
	if found != 2*size {
		t.Errorf("%d races after going back, want %d", found, 2*size)
	}
}
