package vector

import (
	"sync"
	"testing"
)

// start starts goroutines and waits for them.
func start(funcs ...func()) {
	var wg sync.WaitGroup
	for _, f := range funcs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

func FuzzDeadlock0(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		v, w := New(1, 2), New(3)
		start(
			func() {
				if n > 18 {
					v.AddAll(w)
				}
			},
			func() { w.AddAll(v) },
		)
	})
}

func FuzzDeadlock1(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		v, w := New(), New()
		start(
			func() { v.Equal(w) },
			func() { w.Equal(v) },
			func() {
				if n > 18 {
					v.Add(n)
				}
			},
			func() { w.Add(1) },
		)
	})
}

func FuzzRace(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		v := New(1, 2, 3)
		start(
			func() { v.LastIndexOf(2) },
			func() {
				if n > 18 {
					v.RemoveAllElements()
				}
			},
			func() { v.Add(4) },
		)
	})
}
