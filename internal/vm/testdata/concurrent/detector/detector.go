// Package detector has computations that are made by the only goroutine of a run, where nothing is
// noted of accesses, and after another one was started, where data races are looked for; and some that several
// goroutines make.
package detector

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// others starts a goroutine, and waits until it has ended.
func others() {
	done := make(chan bool)
	go func() { done <- true }()
	<-done
}

func sumsAlone()  { sums() }
func sumsAmong()  { others(); sums() }
func sortAlone()  { sort() }
func sortAmong()  { others(); sort() }
func wordsAlone() { words() }
func wordsAmong() { others(); words() }
func jsonAlone()  { encode() }
func jsonAmong()  { others(); encode() }

// sums does little but access the elements of a slice.
func sums() {
	a := make([]int, 256)
	for round := range 60 {
		for i := range a {
			a[i] += round
		}
	}
	if a[0] != 59*60/2 {
		panic("wrong sum")
	}
}

// sort sorts numbers.
func sort() {
	for round := range 4 {
		a := make([]int, 200)
		for i := range a {
			a[i] = i * 7919 % (251 + round)
		}
		slices.Sort(a)
		if !slices.IsSorted(a) {
			panic("not sorted")
		}
	}
}

// words counts words in a map.
func words() {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog ", 40)
	count := map[string]int{}
	for _, w := range strings.Fields(text) {
		count[strings.ToUpper(w)]++
	}
	if count["THE"] != 80 {
		panic("wrong count")
	}
}

// encode writes a value as JSON and reads it again.
func encode() {
	type point struct {
		X, Y int
		Name string
	}
	for range 5 {
		text, err := json.Marshal([]point{{1, 2, "a"}, {3, 4, "b"}})
		var back []point
		if err != nil || json.Unmarshal(text, &back) != nil || len(back) != 2 {
			panic("not the same")
		}
	}
}

// matrix multiplies matrices that all goroutines read, each of which computes some rows of the product.
func matrix() {
	const n = 16
	a, b, c := make([][]int, n), make([][]int, n), make([][]int, n)
	for i := range n {
		a[i], b[i], c[i] = make([]int, n), make([]int, n), make([]int, n)
		for k := range n {
			a[i][k], b[i][k] = i+k, i-k
		}
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < n; i += 4 {
				for k := range n {
					sum := 0
					for j := range n {
						sum += a[i][j] * b[j][k]
					}
					c[i][k] = sum
				}
			}
		})
	}
	wg.Wait()
	if c[0][1] != 1120 {
		panic("wrong product")
	}
}

// bank moves amounts between accounts that a lock protects.
func bank() {
	type account struct{ balance, moves int }
	var mu sync.Mutex
	accounts := make([]account, 8)
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := range 60 {
				mu.Lock()
				from, to := &accounts[(w+i)%8], &accounts[(w+3*i+1)%8]
				from.balance -= i
				to.balance += i
				from.moves++
				to.moves++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, a := range accounts {
		sum += a.balance
	}
	if sum != 0 {
		panic("wrong sum")
	}
}

// pipeline sends values through goroutines that compute a little.
func pipeline() {
	in := make(chan []int, 4)
	go func() {
		defer close(in)
		for i := range 60 {
			a := make([]int, 20)
			for k := range a {
				a[k] = i * k
			}
			in <- a
		}
	}()
	sums := make(chan int)
	go func() {
		defer close(sums)
		for a := range in {
			sum := 0
			for _, x := range a {
				sum += x
			}
			sums <- sum
		}
	}()
	total := 0
	for sum := range sums {
		total += sum
	}
	if total != 59*30*190 {
		panic("wrong total")
	}
}

// counters counts atomically, after a computation that only one goroutine makes.
func counters() {
	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 50 {
				x := uint32(i + w)
				for range 10 {
					x = x*1664525 + 1013904223
				}
				n.Add(int64(x & 1))
			}
		})
	}
	wg.Wait()
	if n.Load() > 200 {
		panic("wrong count")
	}
}
