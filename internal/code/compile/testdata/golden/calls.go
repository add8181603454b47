package p

import (
	"errors"
	"fmt"
	"sync"
)

type shape interface{ area() float64 }

type square struct{ side float64 }

func (s square) area() float64 { return s.side * s.side }

type rect struct{ w, h float64 }

func (r rect) area() float64 { return r.w * r.h }

func total(shapes []shape) (sum float64) {
	for _, s := range shapes {
		sum += s.area()
	}
	return sum
}

func recovered(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	f()
	return nil
}

func locked(mu *sync.Mutex, n int) int {
	mu.Lock()
	defer mu.Unlock()
	for i := range n {
		defer println(i)
	}
	return n
}

func builtins(m map[string]int, c chan int, s []int, x any) {
	go close(c)
	defer delete(m, "a")
	defer recover()
	defer panic(x)
	go print(1, "b", x)
	clear(m)
	clear(s)
	copy(s, s[1:])
}

func swap(a, b string, c int) (string, string, int) {
	for c > 0 {
		a, b = b, a
		c--
	}
	return b, a, c
}

func closures(n int) func() int {
	count := 0
	return func() int {
		count += n
		return count
	}
}

func values(s square) (func() float64, func(square) float64) {
	return s.area, square.area
}

func appends(s []int, t []string, a, b int, c string) ([]int, []string) {
	s = append(s, a)
	s = append(s, a, b)
	t = append(t, c)
	return append(s, s...), append(t, "x", c)
}

func seq(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func overFunc(n int) (last int, err error) {
	for i := range seq(n) {
		defer println(i)
		if i == 3 {
			return i, errors.New("three")
		}
		last = i
	}
	return last, nil
}
