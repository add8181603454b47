// Package names has functions whose variables have names. In each of them two goroutines use what
// is to be named.
package names

import (
	"errors"
	"sync"
	"sync/atomic"
)

type account struct {
	mu      sync.Mutex
	balance int
	history [2]struct{ amount int }
}

type bank struct {
	requests chan string
	open     *account
}

var total int

// One account is named by its type, whatever variable refers to it.
func One() {
	mine := &account{}
	go func() { deposit(mine, 3) }()
	deposit(mine, 4)
}

func deposit(a *account, n int) {
	a.mu.Lock()
	a.balance = n
	a.history[1].amount = n
	a.mu.Unlock()
}

// Two accounts are named by the variables that hold them.
func Two() {
	from, to := &account{}, &account{}
	done := make(chan bool)
	go func() { deposit(from, 1); deposit(to, 2); done <- true }()
	<-done
	deposit(from, 3)
	deposit(to, 4)
}

// Variables have their own names, values are in words.
func Values() {
	var count, flags = 0, []int{7, 8}
	var text string
	var err error
	var ready atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		count = 1
		flags[1] = 9
		text = "a text"
		err = errors.New("wrong")
		total = 5
		ready.Store(true)
	})
	wg.Wait()
	_, _, _, _, _ = count, flags[1], text, err, total
	ready.Load()
}

// A channel is named by the field that refers to it.
func Channels() {
	b := bank{requests: make(chan string), open: &account{}}
	go b.serve()
	b.requests <- "hello"
}

func (b *bank) serve() { <-b.requests }
