// Fft is the program of that name of SPLASH-2: the fast Fourier transform of 2^m complex numbers in six steps. The
// numbers are a square matrix, and each goroutine owns some of its rows; between the steps all wait at a barrier.
//
//	fft half=5            # m is 10
//	fft half=5 back=1    # and back again, which is compared with the numbers
package main

import (
	"fmt"
	"math"
	"math/cmplx"
	"sync"

	_ "github.com/everyway-go/everyway/bench/cover/testdata/arguments"
	"github.com/everyway-go/everyway/bench/cover/testdata/kernel/barrier"
	"github.com/everyway-go/everyway/sym"
)

// A transform is the state of the program.
type transform struct {
	side    int // of the matrix
	x       []complex128
	scratch []complex128
	roots   []complex128 // of unity, as many as there are numbers
	there   bool         // and back again
	start   *barrier.Barrier
}

func main() {
	side := 1 << sym.Range("half", 3, 12)
	t := newTransform(side, sym.Bool("back"))
	before := append([]complex128(nil), t.x...)
	var wg sync.WaitGroup
	for id := range workers {
		wg.Go(func() { t.work(id) })
	}
	wg.Wait()
	sum := complex(0, 0)
	for i, v := range t.x {
		sum += v * complex(float64(i%7+1), 0)
	}
	fmt.Printf("checksum %.6f %.6f\n", real(sum), imag(sum))
	if t.there {
		worst := 0.0
		for i, v := range t.x {
			worst = max(worst, cmplx.Abs(v/complex(float64(len(t.x)), 0)-before[i]))
		}
		fmt.Printf("there and back again: %t\n", worst < 1e-9)
	}
}

// newTransform returns one of numbers that look like random ones.
func newTransform(side int, there bool) *transform {
	n := side * side
	t := &transform{side: side, x: make([]complex128, n), scratch: make([]complex128, n), roots: make([]complex128, n), there: there, start: barrier.New(workers)}
	random := uint64(1)
	next := func() float64 {
		random = random*6364136223846793005 + 1442695040888963407
		return float64(random>>11)/(1<<53) - 0.5
	}
	for i := range n {
		t.x[i] = complex(next(), next())
		angle := -2 * math.Pi * float64(i) / float64(n)
		t.roots[i] = complex(math.Cos(angle), math.Sin(angle))
	}
	return t
}

// work is what each goroutine does.
func (t *transform) work(id int) {
	t.start.Wait()
	t.transform(id, false)
	if t.there {
		t.start.Wait()
		t.transform(id, true)
	}
}

// rows returns which rows of the matrix a goroutine owns.
func (t *transform) rows(id int) (begin, end int) {
	return id * t.side / workers, (id + 1) * t.side / workers
}

// transform is the part of a goroutine in the six steps.
func (t *transform) transform(id int, inverse bool) {
	begin, end := t.rows(id)
	t.transpose(t.scratch, t.x, begin, end)
	t.start.Wait()
	for row := begin; row < end; row++ {
		t.row(t.scratch[row*t.side:(row+1)*t.side], inverse)
		t.twiddle(row, inverse)
	}
	t.start.Wait()
	t.transpose(t.x, t.scratch, begin, end)
	t.start.Wait()
	for row := begin; row < end; row++ {
		t.row(t.x[row*t.side:(row+1)*t.side], inverse)
	}
	t.start.Wait()
	t.transpose(t.scratch, t.x, begin, end)
	t.start.Wait()
	copy(t.x[begin*t.side:end*t.side], t.scratch[begin*t.side:end*t.side])
}

// transpose sets some rows of a matrix to the columns of another one.
func (t *transform) transpose(to, from []complex128, begin, end int) {
	for row := begin; row < end; row++ {
		for column := range t.side {
			to[row*t.side+column] = from[column*t.side+row]
		}
	}
}

// root returns the i-th root of unity of the order n, or its inverse.
func (t *transform) root(i int, inverse bool) complex128 {
	r := t.roots[i%len(t.roots)]
	if inverse {
		return cmplx.Conj(r)
	}
	return r
}

// twiddle multiplies a row of the scratch matrix by roots of unity.
func (t *transform) twiddle(row int, inverse bool) {
	for column := range t.side {
		t.scratch[row*t.side+column] *= t.root(row*column, inverse)
	}
}

// row transforms a row in place.
func (t *transform) row(x []complex128, inverse bool) {
	for i, j := 1, 0; i < len(x); i++ {
		bit := len(x) >> 1
		for ; j&bit != 0; bit >>= 1 {
			j ^= bit
		}
		j ^= bit
		if i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	for size := 2; size <= len(x); size *= 2 {
		step := len(t.roots) / size
		for i := 0; i < len(x); i += size {
			for k := range size / 2 {
				a, b := x[i+k], x[i+k+size/2]*t.root(k*step, inverse)
				x[i+k], x[i+k+size/2] = a+b, a-b
			}
		}
	}
}
