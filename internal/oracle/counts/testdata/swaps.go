package programs

import "sync/atomic"

// cas: n goroutines try to be the first.
func cas(n int) {
	var x atomic.Int32
	each(n, func(i int) { x.CompareAndSwap(0, int32(i+1)) })
}

// casrot: each goroutine takes over from the one before it.
func casrot(n int) {
	var x atomic.Int32
	each(n, func(i int) { x.CompareAndSwap(int32(i), int32(i+1)) })
}

// casw: n goroutines swap and then write.
func casw(n int) {
	var x atomic.Int32
	each(n, func(i int) {
		x.CompareAndSwap(0, 1)
		x.Store(int32(i + 3))
	})
}

// wcas: a writer, and n goroutines that swap what it writes.
func wcas(n int) {
	var x atomic.Int32
	each(n+1, func(i int) {
		if i == 0 {
			x.Store(2)
		} else {
			x.CompareAndSwap(2, 3)
		}
	})
}

// indexer: n goroutines insert four keys each into a hash table (Flanagan and
// Godefroid, Dynamic Partial-Order Reduction, POPL 2005, section 5).
func indexer(n int) {
	const size = 128
	var table [size]atomic.Int32
	each(n, func(tid int) {
		for i := 1; i <= 4; i++ {
			w := int32(i*11 + tid)
			h := w * 7 % size
			for !table[h].CompareAndSwap(0, w) {
				h = (h + 1) % size
			}
		}
	})
}
