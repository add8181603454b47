// Functions that may notice each other, and functions that cannot.
package main

import "sync"

type box struct {
	mu   sync.Mutex
	n, m int
	list map[int]int
}

var shared = &box{list: map[int]int{}}

func read() int  { return shared.n }
func write()     { shared.n++ }
func other()     { shared.m++ }
func calls()     { write() }
func starts()    { go write() }
func lock()      { shared.mu.Lock(); shared.mu.Unlock() }
func store()     { shared.list[1] = 2 }
func remove()    { delete(shared.list, 1) }
func local() int { b := &box{}; b.n++; return b.n }
func nothing()   {}

func main() {
	read()
	write()
	other()
	calls()
	starts()
	lock()
	store()
	remove()
	local()
	nothing()
}
