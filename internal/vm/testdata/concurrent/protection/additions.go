package protection

import "sync/atomic"

// shared is what goroutines access.
type shared struct{ v int }

// Additions to an atomic variable whose results nobody reads commute, and order nothing: each of two accesses that only such
// additions stand between may come first.

func additionsOrderNothing() {
	var n atomic.Int32
	var x shared
	go func() {
		x.v = 1
		n.Add(1)
	}()
	n.Add(1)
	x.v = 2
}

// The sum is read: whoever finds 2 knows of what came before the other addition.
func sumOrders() {
	var n atomic.Int32
	var x shared
	go func() {
		x.v = 1
		n.Add(1)
	}()
	if n.Add(1) == 2 {
		x.v = 2
	}
}

// A Load learns from all additions before it, in any order.
func loadLearnsFromAll() {
	var n atomic.Int32
	var x, y shared
	go func() {
		x.v = 1
		n.Add(1)
	}()
	go func() {
		y.v = 1
		n.Add(1)
	}()
	if n.Load() == 2 {
		x.v = 2
		y.v = 2
	}
}

// Whoever stores in between hides what came before.
func storeHides() {
	var n atomic.Int32
	var x shared
	go func() {
		x.v = 1
		n.Add(1)
	}()
	n.Store(5)
	n.Add(1)
	if n.Load() == 6 {
		x.v = 2
	}
}

// addTo returns the sum, so that it depends on who calls it whether that is read.
func addTo(n *int32, by int) int { return int(atomic.AddInt32(n, int32(by))) }

func returnedAndDropped() {
	var n int32
	var x shared
	go func() {
		x.v = 1
		addTo(&n, 1)
	}()
	addTo(&n, 1)
	x.v = 2
}

func returnedAndRead() {
	var n int32
	var x shared
	go func() {
		x.v = 1
		defer addTo(&n, 1)
	}()
	if addTo(&n, 1) == 2 {
		x.v = 2
	}
}

// The addition decides which of the two others a third goroutine finds.
func additionsAndSwap() {
	var n atomic.Int32
	var x shared
	go func() {
		n.Add(1)
		x.v = 1
		n.Add(1)
	}()
	go n.Add(1)
	if n.CompareAndSwap(3, 0) {
		x.v = 2
	} else if n.CompareAndSwap(2, 0) {
		n.Add(2)
	}
}

// A send that only additions order with the close is not ordered with it.
func additionsAndClose() {
	var n atomic.Int32
	c := make(chan int, 1)
	go func() {
		n.Add(1)
		close(c)
	}()
	defer func() { recover() }()
	n.Add(1)
	c <- 0
}
