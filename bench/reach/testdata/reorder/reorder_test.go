// Package reorder is the benchmark of that name: setters write two variables one after the other, and checkers read them in
// between. Its name in the benchmark of Eytani, Havelund, Stoller and Ur is reorder; the parameters are the numbers of
// setters and checkers.
package reorder

import "testing"

type setCheck struct{ a, b int }

func (s *setCheck) set() {
	s.a = 1
	s.b = -1
}

func (s *setCheck) check() bool {
	return s.a == 0 && s.b == 0 || s.a == 1 && s.b == -1
}

func check(s *setCheck) {
	if !s.check() {
		panic("reordered") // the place to reach
	}
}

func run(setters, checkers int) {
	s := new(setCheck)
	for range setters {
		go s.set()
	}
	for range checkers {
		go check(s)
	}
}

func TestReorder9x1(t *testing.T)  { run(9, 1) }
func TestReorder10x1(t *testing.T) { run(10, 1) }
func TestReorder50x1(t *testing.T) { run(50, 1) }
