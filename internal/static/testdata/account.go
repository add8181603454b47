package main

import "sync"

type account struct {
	mu      sync.Mutex
	balance int
	history []int
}

type bank struct {
	mu       sync.RWMutex
	accounts map[string]*account
	done     chan bool
}

var total struct {
	sync.Mutex
	n int
}

func (a *account) deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n
	a.history = append(a.history, n)
}

func (a *account) lock() { a.mu.Lock() }

func (a *account) unlock() { a.mu.Unlock() }

func (a *account) withdraw(n int) bool {
	a.lock()
	if a.balance < n {
		a.unlock()
		return false
	}
	a.balance -= n
	a.unlock()
	count()
	return true
}

func count() {
	total.Lock()
	total.n++
	total.Unlock()
}

func (b *bank) find(name string) *account {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.accounts[name]
}

func transfer(from, to *account, n int) {
	from.mu.Lock()
	to.mu.Lock()
	from.balance -= n
	to.balance += n
	to.mu.Unlock()
	from.mu.Unlock()
	count()
}

func try(a *account) {
	if a.mu.TryLock() {
		a.balance = 0
		a.mu.Unlock()
	}
}

func all(list []*account) {
	for _, a := range list {
		a.mu.Lock()
		a.balance++
		a.mu.Unlock()
	}
	count()
}

func locker(l sync.Locker) {
	l.Lock()
	count()
	l.Unlock()
}

func (b *bank) worker(jobs <-chan int) {
	local := &account{}
	for n := range jobs {
		local.balance += n
		b.find("a").deposit(n)
	}
	for i := 0; i < 10; i++ {
		local.balance--
	}
	for total.n == 0 {
	}
	b.done <- true
}

func main() {
	b := &bank{accounts: map[string]*account{"a": {}, "b": {}}, done: make(chan bool)}
	jobs := make(chan int)
	go b.worker(jobs)
	jobs <- 1
	close(jobs)
	<-b.done
	x, y := b.find("a"), b.find("b")
	transfer(x, y, 1)
	x.withdraw(1)
	try(y)
	all([]*account{x, y})
	locker(&x.mu)
	locker(b.mu.RLocker())
}
