package reach

import (
	"sync"
	"testing"
)

type account struct {
	mu     sync.Mutex
	amount int
	closed bool
}

func (a *account) deposit(n int) {
	a.mu.Lock()
	a.amount += n
	if a.closed {
		a.amount = 0
	}
	a.mu.Unlock()
}

func (a *account) close() {
	a.mu.Lock()
	if a.amount > 1 {
		a.closed = true
	}
	a.mu.Unlock()
}

func TestAccount(t *testing.T) {
	a := new(account)
	go a.deposit(2)
	a.close()
}
