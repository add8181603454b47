// Package art is a relay that scales the number of goroutines. Each runner hands
// the baton on when it was given its key and it is its turn. With every further
// runner there is one more assertion, which takes one more interference to
// violate: the property of the program art in section 8 of the con2colic paper.
package art

import "sync"

// A Track is what the runners share.
type Track struct {
	mu    sync.Mutex
	baton int // how many runners have handed it on
}

// turn returns how many runners have handed the baton on.
func (t *Track) turn() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.baton
}

// Pass notes that so many runners have handed the baton on.
func (t *Track) Pass(runners int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.baton = runners
}

// Finish is what the last runner does in the place of Pass: nobody thought that
// the baton would get that far.
func (t *Track) Finish(int) { panic("the baton went through all runners") }

// First has the baton from the start, and a choice of keys.
func (t *Track) First(key uint8, next func(int)) {
	if key >= 'A' && key <= 'Z' {
		next(1)
	}
}

// Second comes after First.
func (t *Track) Second(key uint8, next func(int)) {
	if key == 0xc3 && t.turn() == 1 {
		next(2)
	}
}

// Third comes after Second.
func (t *Track) Third(key uint8, next func(int)) {
	if key == 0x17 && t.turn() == 2 {
		next(3)
	}
}

// Fourth comes after Third.
func (t *Track) Fourth(key uint8, next func(int)) {
	if key == 0x88 && t.turn() == 3 {
		next(4)
	}
}

// Fifth comes after Fourth.
func (t *Track) Fifth(key uint8, next func(int)) {
	if key == 0xe1 && t.turn() == 4 {
		next(5)
	}
}
