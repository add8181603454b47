package groups

import (
	"sync"
	"sync/atomic"
)

func count(n int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	x := 0
	for range n {
		wg.Go(func() {
			mu.Lock()
			x++
			mu.Unlock()
		})
	}
	wg.Wait()
	if x != n {
		panic("not all have counted")
	}
}

// FourCount has four goroutines that count under a lock, EightCount eight, and SixteenCount sixteen.
func FourCount()    { count(4) }
func EightCount()   { count(8) }
func SixteenCount() { count(16) }

// Additions has goroutines that add different numbers to a variable, whose results nobody reads.
func Additions() {
	if sum, _ := add(16, nil); sum != 120 {
		panic("not all have been added")
	}
}

// SumSeen has a goroutine that reads the variable meanwhile: it may see 2 alone, which has not been added first.
func SumSeen() {
	if _, seen := add(3, func(x *atomic.Int64) int64 { return x.Load() }); seen == 2 {
		panic("2 has been added first")
	}
}

// ResultSeen has an addition whose result decides.
func ResultSeen() {
	if _, seen := add(3, func(x *atomic.Int64) int64 { return x.Add(10) }); seen == 12 {
		panic("2 has been added first")
	}
}

// add has n goroutines add 0, 1 and so on to a variable, while another one does something else with it. It returns the sum, and what that has seen.
func add(n int64, other func(*atomic.Int64) int64) (sum, seen int64) {
	var x atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { x.Add(i) })
	}
	if other != nil {
		wg.Go(func() { seen = other(&x) })
	}
	wg.Wait()
	return x.Load(), seen
}
