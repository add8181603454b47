// Package lu is after SPLASH-2's program of that name: goroutines factor a matrix into a lower and an upper triangular one, in
// blocks that each have an owner, with barriers between the steps.
package lu

import (
	"sync"

	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/barrier"
)

// A factorisation is the state of the program.
type factorisation struct {
	n, block   int     // sizes of the matrix and of a block
	blocks     int     // in a row
	rows, cols int     // of the goroutines that own blocks, in turns
	a          [][]int // of numbers modulo a prime

	idLock sync.Mutex
	id     int // of the next goroutine

	start *barrier.Barrier
}

// Prime is the order of the field, which is small enough that inverses are found by trying.
const Prime = 251

func mod(x int) int { return ((x % Prime) + Prime) % Prime }

// inverse returns 1/x.
func inverse(x int) int {
	for y := 1; y < Prime; y++ {
		if mod(x*y) == 1 {
			return y
		}
	}
	panic("lu: the matrix is singular")
}

// owner returns the number of the goroutine that owns a block.
func (f *factorisation) owner(i, j int) int { return i%f.rows*f.cols + j%f.cols }

// end returns the index after the last row, or column, of block i.
func (f *factorisation) end(i int) int { return min((i+1)*f.block, f.n) }

// slave is what each goroutine does.
func (f *factorisation) slave() {
	f.idLock.Lock()
	id := f.id
	f.id++
	f.idLock.Unlock()
	f.start.Wait()
	f.factor(id)
	f.start.Wait()
}

// factor does what the goroutine with a number has to do.
func (f *factorisation) factor(id int) {
	for k := 0; k < f.blocks; k++ {
		if f.owner(k, k) == id {
			f.diagonal(k)
		}
		f.start.Wait() // context: lu-1, 4 goroutines
		for i := k + 1; i < f.blocks; i++ {
			if f.owner(i, k) == id {
				f.left(k, i)
			}
		}
		for j := k + 1; j < f.blocks; j++ {
			if f.owner(k, j) == id {
				f.upper(k, j)
			}
		}
		f.start.Wait() // context: lu-2, 4 goroutines
		for i := k + 1; i < f.blocks; i++ {
			for j := k + 1; j < f.blocks; j++ {
				if f.owner(i, j) == id {
					f.inner(k, i, j)
				}
			}
		}
	}
}

// diagonal factors the block (k, k).
func (f *factorisation) diagonal(k int) {
	begin, end := k*f.block, f.end(k)
	for c := begin; c < end; c++ {
		inv := inverse(f.a[c][c])
		for r := c + 1; r < end; r++ {
			f.a[r][c] = mod(f.a[r][c] * inv)
			for x := c + 1; x < end; x++ {
				f.a[r][x] = mod(f.a[r][x] - f.a[r][c]*f.a[c][x])
			}
		}
	}
}

// left divides the block (i, k) by the upper part of (k, k).
func (f *factorisation) left(k, i int) {
	begin, end := k*f.block, f.end(k)
	for c := begin; c < end; c++ {
		inv := inverse(f.a[c][c])
		for r := i * f.block; r < f.end(i); r++ {
			f.a[r][c] = mod(f.a[r][c] * inv)
			for x := c + 1; x < end; x++ {
				f.a[r][x] = mod(f.a[r][x] - f.a[r][c]*f.a[c][x])
			}
		}
	}
}

// upper divides the block (k, j) by the lower part of (k, k).
func (f *factorisation) upper(k, j int) {
	begin, end := k*f.block, f.end(k)
	for c := begin; c < end; c++ {
		for r := c + 1; r < end; r++ {
			for x := j * f.block; x < f.end(j); x++ {
				f.a[r][x] = mod(f.a[r][x] - f.a[r][c]*f.a[c][x])
			}
		}
	}
}

// inner subtracts the product of (i, k) and (k, j) from the block (i, j).
func (f *factorisation) inner(k, i, j int) {
	for c := k * f.block; c < f.end(k); c++ {
		for r := i * f.block; r < f.end(i); r++ {
			for x := j * f.block; x < f.end(j); x++ {
				f.a[r][x] = mod(f.a[r][x] - f.a[r][c]*f.a[c][x])
			}
		}
	}
}

// Factor factors a matrix of numbers modulo Prime, in blocks of a size, with a grid of goroutines that own blocks.
// Afterwards it has the upper matrix and, below the diagonal, the lower one, whose diagonal is 1.
func Factor(a [][]int, n, block, rows, cols int) {
	f := &factorisation{n: n, block: block, rows: rows, cols: cols, a: a}
	f.run()
}

// run factors the matrix with the goroutines that own blocks.
func (f *factorisation) run() {
	workers := f.rows * f.cols
	f.blocks = (f.n + f.block - 1) / f.block
	f.start = barrier.New(workers)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(f.slave)
	}
	wg.Wait()
}
