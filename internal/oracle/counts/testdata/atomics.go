package programs

import "sync/atomic"

// readers: a writer and n readers of one variable.
func readers(n int) {
	var x atomic.Int32
	each(n+1, func(i int) {
		if i == 0 {
			x.Store(42)
		} else {
			x.Load()
		}
	})
}

// writers: n+1 writers and a reader of one variable.
func writers(n int) {
	var x atomic.Int32
	each(n+2, func(i int) {
		if i <= n {
			x.Store(int32(i))
		} else {
			x.Load()
		}
	})
}

// ainc: n goroutines add to a variable.
func ainc(n int) {
	var x atomic.Int32
	each(n, func(int) { x.Add(1) })
}

// binc: n goroutines add to two variables.
func binc(n int) {
	var x, y atomic.Int32
	each(n, func(int) {
		x.Add(1)
		y.Add(1)
	})
}

// cinc: n goroutines add to three variables.
func cinc(n int) {
	var x, y, z atomic.Int32
	each(n, func(int) {
		x.Add(1)
		y.Add(1)
		z.Add(1)
	})
}

// wainc: a writer, and n goroutines that add.
func wainc(n int) {
	var x atomic.Int32
	each(n+1, func(i int) {
		if i == 0 {
			x.Store(42)
		} else {
			x.Add(1)
		}
	})
}

// inc: n goroutines add with a load and a store.
func inc(n int) {
	var x atomic.Int32
	each(n, func(i int) {
		r := x.Load()
		x.Store(r + 1<<i)
	})
}

// rw: n goroutines read a variable and then write it.
func rw(n int) {
	var x atomic.Int32
	each(n, func(i int) {
		x.Load()
		x.Store(int32(i))
	})
}

// local: two goroutines use a variable of their own n times, and then a shared one.
func local(n int) {
	var v atomic.Int32
	var own [2]atomic.Int32
	each(2, func(tid int) {
		for i := range n {
			own[tid].Store(int32(i))
			own[tid].Load()
		}
		v.Store(int32(tid))
		v.Load()
	})
}

// coa: the order of the writes to x shows in what is read of y and z.
func coa(n int) {
	var x, y, z atomic.Int32
	each(n+1, func(i int) {
		switch i {
		case 0:
			x.Store(1)
			y.Load()
			x.Load()
		case 1:
			x.Store(2)
			z.Load()
			x.Load()
		default:
			y.Store(int32(i))
			z.Store(int32(i))
		}
	})
}

// lastzero: n writers write a[j] from a[j-1], and a reader looks for the last
// element that is zero.
func lastzero(n int) {
	a := make([]atomic.Int32, n+1)
	each(n+1, func(j int) {
		if j > 0 {
			a[j].Store(a[j-1].Load() + 1)
			return
		}
		i := n
		for a[i].Load() != 0 {
			i--
		}
	})
}

// fib: two goroutines compute Fibonacci numbers in turn, n steps each. The
// largest they can come to is reached when they take turns.
func fib(n int) {
	var x, y atomic.Int32
	x.Store(1)
	y.Store(1)
	limit := fibonacci(2*n + 2)
	all(
		func() {
			for range n {
				px, py := x.Load(), y.Load()
				x.Store(px + py)
			}
		},
		func() {
			for range n {
				px, py := x.Load(), y.Load()
				y.Store(px + py)
			}
		},
		func() {
			if x.Load() > limit || y.Load() > limit {
				panic("more than can be")
			}
		},
	)
}

func fibonacci(n int) int32 {
	var a, b int32 = 0, 1
	for range n {
		a, b = b, a+b
	}
	return a
}
