package machine

import "sync"

// Float has goroutines that compute with floating-point numbers of another.
func Float() {
	var (
		mu   sync.Mutex
		wg   sync.WaitGroup
		x    uint8
		y, z float64
	)
	set := func(v *float64, to float64) {
		mu.Lock()
		*v = to
		mu.Unlock()
	}
	wg.Go(func() {
		mu.Lock()
		x = 9
		mu.Unlock()
	})
	wg.Go(func() {
		mu.Lock()
		a := float64(x)
		mu.Unlock()
		set(&y, a/2)
		if a*a > 80.5 {
			set(&z, a+1)
		}
	})
	mu.Lock()
	b := int(z)
	mu.Unlock()
	if b == 10 {
		panic("degree 2")
	}
	mu.Lock()
	c := float32(x)
	mu.Unlock()
	if c == 9 {
		panic("degree 1")
	}
	wg.Wait()
}
