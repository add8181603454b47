package main

import (
	"fmt"
	"sync"
)

type account struct {
	mu      sync.Mutex
	balance int
	log     []string
}

var bank = map[string]*account{}

func (a *account) deposit(n int) (total int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
	a.log = append(a.log, fmt.Sprint("deposit ", n))
	return a.balance
}

func main() {
	a := &account{log: []string{"open"}}
	bank["a"] = a
	var wg sync.WaitGroup
	results := make(chan int, 2)
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			amount := (i + 1) * 10
			results <- a.deposit(amount)
		}()
	}
	wg.Wait()
	close(results)
	sum := 0
	for r := range results {
		sum += r
	}
	fmt.Println(a.balance, sum)
}
