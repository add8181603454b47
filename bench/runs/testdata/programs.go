// Package programs holds the programs of bench/runs: functions of a parameter.
package programs

import (
	"strconv"
	"sync"
)

// run is the entry of the machine: it gives program its parameter.
func run(n string, program func(n int)) {
	v, err := strconv.Atoi(n)
	if err != nil {
		panic(err)
	}
	program(v)
}

// kernel: three goroutines take a lock n times each. Nobody waits for their ends.
func kernel(n int) {
	var mu sync.Mutex
	x := 0
	for range 3 {
		go func() {
			for range n {
				mu.Lock()
				x++
				mu.Unlock()
			}
		}()
	}
}

// deep: the kernel with four rounds, after n steps of the main goroutine.
func deep(n int) {
	var mu sync.Mutex
	for range n / 2 {
		mu.Lock()
		mu.Unlock()
	}
	kernel(4)
}

var heap []int

// large: as deep, with a heap of 16 MB, of which the run writes a part at its start.
func large(n int) {
	heap = make([]int, 1<<20)
	for i := range 1 << 15 {
		heap[i] = i
	}
	deep(n)
}

// unbuffered: a goroutine sends another one n values.
func unbuffered(n int) {
	c := make(chan int)
	go func() {
		for i := range n {
			c <- i
		}
	}()
	for range n {
		<-c
	}
}

// mutexes: two goroutines let each other go on, n times each.
func mutexes(n int) {
	var a, b sync.Mutex
	b.Lock()
	go func() {
		for range n {
			b.Lock()
			a.Unlock()
		}
	}()
	for range n {
		a.Lock()
		b.Unlock()
	}
}
