package main

import "sync"

func main() {
	before()
	go once()
	for range 3 {
		go many(1)
	}
	shared()
	var wg sync.WaitGroup
	wg.Go(waited)
	twice()
	twice()
	recursive(3)
	wg.Wait()
}

func before() {}

func once() {
	shared()
	go grandchild()
}

func grandchild() {}

func many(n int) {
	inner()
	go child()
}

func inner() {}

func child() {}

func shared() {}

func waited() {}

func twice() { go fromTwice() }

func fromTwice() {}

func recursive(n int) {
	if n > 0 {
		recursive(n - 1)
	}
	go deep()
}

func deep() {}
