// Package lu is after SPLASH-2's program of that name: goroutines factor a matrix into a lower and an upper triangular one, in
// blocks that each have an owner, with barriers between the steps. What they share are variables of the package, as they are in the
// original.
package lu

import "sync"

// most is how many rows the matrix has, at most.
const most = 8

// What the workers share.
var (
	n, block   int8 // sizes of the matrix and of a block
	blocks     int8 // in a row
	workers    int8
	rows, cols int8             // of the workers that own blocks, in turns
	a          [most][most]int8 // of numbers modulo 2⁸

	idMu sync.Mutex
	id   int8 // of the next worker
)

// inverse returns 1/x modulo 2⁸, if x is odd.
func inverse(x int8) int8 {
	y := x // right in three bits, and in twice as many after each step
	y *= 2 - x*y
	y *= 2 - x*y
	y *= 2 - x*y
	y *= 2 - x*y
	return y
}

// owner returns the number of the worker that owns a block.
func owner(i, j int8) int8 { return i%cols + j%rows*cols }

// end returns the index after the last row, or column, of block i.
func end(i int8) int8 { return min((i+1)*block, n) }

// work is what each worker does.
func work() {
	idMu.Lock()
	me := id
	id++
	idMu.Unlock()
	barrier()
	factor(me)
	barrier()
}

// factor does what the worker with a number has to do.
func factor(me int8) {
	for k := int8(0); k < blocks; k++ {
		if owner(k, k) == me {
			diagonal(k)
		}
		barrier() // context: lu-1, 4 goroutines
		for i := k + 1; i < blocks; i++ {
			if owner(i, k) == me {
				left(k, i)
			}
		}
		for j := k + 1; j < blocks; j++ {
			if owner(k, j) == me {
				upper(k, j)
			}
		}
		barrier() // context: lu-2, 4 goroutines
		for i := k + 1; i < blocks; i++ {
			for j := k + 1; j < blocks; j++ {
				if owner(i, j) == me {
					inner(k, i, j)
				}
			}
		}
	}
}

// diagonal factors the block (k, k).
func diagonal(k int8) {
	begin, end := k*block, end(k)
	for c := begin; c < end; c++ {
		inv := inverse(a[c][c])
		for r := c + 1; r < end; r++ {
			a[r][c] *= inv
			for x := c + 1; x < end; x++ {
				a[r][x] -= a[r][c] * a[c][x]
			}
		}
	}
}

// left divides the block (i, k) by the upper part of (k, k).
func left(k, i int8) {
	for c := k * block; c < end(k); c++ {
		inv := inverse(a[c][c])
		for r := i * block; r < end(i); r++ {
			a[r][c] *= inv
			for x := c + 1; x < end(k); x++ {
				a[r][x] -= a[r][c] * a[c][x]
			}
		}
	}
}

// upper divides the block (k, j) by the lower part of (k, k).
func upper(k, j int8) {
	for c := k * block; c < end(k); c++ {
		for r := c + 1; r < end(k); r++ {
			for x := j * block; x < end(j); x++ {
				a[r][x] -= a[r][c] * a[c][x]
			}
		}
	}
}

// inner subtracts the product of (i, k) and (k, j) from the block (i, j).
func inner(k, i, j int8) {
	for c := k * block; c < end(k); c++ {
		for r := i * block; r < end(i); r++ {
			for x := j * block; x < end(j); x++ {
				a[r][x] -= a[r][c] * a[c][x]
			}
		}
	}
}

// run factors the matrix with the workers that own blocks.
func run() {
	workers = rows * cols
	blocks = (n + block - 1) / block
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
}
