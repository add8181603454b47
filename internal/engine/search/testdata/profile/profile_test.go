package profile

import (
	"sync"
	"testing"
)

type account struct {
	mu  sync.Mutex
	sum int
}

func (a *account) add(n int) {
	a.mu.Lock()
	a.sum += n
	a.mu.Unlock()
}

func fee(n uint8) int {
	if n > 100 {
		return 2
	}
	return 1
}

func sum(n int) (s int) {
	for i := range n {
		s += i
	}
	return s
}

func FuzzAccount(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint8) {
		var a account
		var wg sync.WaitGroup
		wg.Go(func() { a.add(fee(n)) })
		wg.Go(func() { a.add(fee(n ^ 1)) })
		wg.Go(func() { a.add(sum(5000)) })
		wg.Wait()
	})
}
