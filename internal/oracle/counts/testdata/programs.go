// Package programs holds programs whose executions have been counted by others:
// the tests of stateless model checkers of C, written in Go. Each is a function of
// a parameter, most often the number of goroutines.
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

// each runs f(0) to f(n-1), a goroutine for each, and waits for them.
func each(n int, f func(i int)) {
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		go func() {
			f(i)
			wg.Done()
		}()
	}
	wg.Wait()
}

// all runs the functions, a goroutine for each, and waits for them.
func all(fs ...func()) {
	each(len(fs), func(i int) { fs[i]() })
}
