package inputs

import "sync"

// Loads and stores at symbolic indexes. TestArrays runs those that say each under every
// input whose variables are below that number, and expects as many paths as they say.

// want: two
// want: three
// want: fewer
// each: 16
// paths: 3
func histogram() {
	var counts [16]int
	for _, name := range []string{"x", "y", "z"} {
		counts[input(name)&15]++
	}
	switch counts[5] {
	case 2:
		print("two")
	case 3:
		print("three")
	default:
		print("fewer")
	}
}

// want: again
// want: distinct
// each: 16
// paths: 3
func distinct() {
	var seen [16]bool
	for _, name := range []string{"x", "y", "z"} {
		x := input(name) & 15
		if seen[x] {
			print("again")
			return
		}
		seen[x] = true
	}
	print("distinct")
}

// want: moved
// want: kept
// want: nine
// each: 8
// paths: 4
func permuted() {
	p := []byte{3, 1, 4, 1, 5, 9, 2, 6, 5, 9}
	i, j, k := input("x")&7, input("y")&7, input("z")&7
	p[i], p[j] = p[j], p[i]
	switch {
	case p[p[k]] == 9:
		print("nine")
	case p[k] == 4 && k != 2:
		print("moved")
	default:
		print("kept")
	}
}

// Parts of arrays, some of them copied, with stores at concrete indexes in between.
//
// want: nine less
// want: seven more
// want: all of it
// want: other
// each: 8
// paths: 4
func parts() {
	var a [20]int16
	a[input("x")&7+4] = 7
	b := a[4:16]
	a[6] = 9
	b[input("y")&7] -= 3
	c := append([]int16{1, 2}, b...)
	c[input("z")&3]++
	a[6] = 0
	switch d := c[2:]; {
	case d[2] == 6:
		print("nine less")
	case d[0] == 8:
		print("seven more")
	case d[input("y")&7] == -2:
		print("all of it")
	default:
		print("other")
	}
}

// want: large
// want: small
// want: zero
// each: 8
// paths: 3
func scaled() {
	t := []float64{0, 0.5, -1, 2.5, 1e9, 0, 3, 7, 8, 9}
	x := input("x") & 7
	t[x] *= 1.5
	t[input("y")&7] += float64(x)
	switch v := t[input("z")&7]; {
	case v > 9:
		print("large")
	case v == 0:
		print("zero")
	default:
		print("small")
	}
}

// want: found
// want: other
// want: panic: panic: runtime error: index out of range [3] with length 3
// want: panic: panic: runtime error: index out of range [-1]
// want:
func letters() {
	s := text("s", 3)
	x := input("x")
	if x < -1 || x > 3 {
		return
	}
	if s[x] == 'b' && s[0] == 'a' {
		print("found")
	} else {
		print("other")
	}
}

// want: accepted
// want: rejected
// each: 4
// paths: 2
func automaton() {
	next := [...]uint8{1, 3, 2, 0, 1, 2, 3, 3, 0, 1, 1, 1, 2, 0, 3, 2}
	state := uint8(0)
	for _, name := range []string{"x", "y", "z", "v"} {
		state = next[state*4+uint8(input(name)&3)]
	}
	if state == 2 {
		print("accepted")
	} else {
		print("rejected")
	}
}

// want: some
// want: none
// want: panic: panic: runtime error: index out of range [3] with length 3
// each: 4
// paths: 4
func few() {
	var n [3]int8
	n[input("x")&3]--
	n[input("y")&3]--
	if n[1] == -2 || n[input("x")&3] > 0 {
		print("some")
	} else {
		print("none")
	}
}

// Goroutines store to one table, one after the other.
//
// want: both two
// want: two
// want: one
// want: none
// each in order: 2
// paths: 3
func storesOfBoth() {
	var t [2]int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range []string{"x", "y"} {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			t[input(name)&1]++
			if name == "y" && t[input("z")&1] == 2 {
				print("both")
			}
		})
	}
	wg.Wait()
	switch {
	case t[input("z")&1] == 2:
		print(" two")
	case t[1] == 1:
		print("one")
	default:
		print("none")
	}
}

// One stores to the table while the other one reads it.
//
// want: new
// want: old
// each in order: 4
// paths: 2
func readsOfOthers() {
	var t [20]int
	var wg sync.WaitGroup
	var mu sync.Mutex
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		t[input("x")&15] = 1
	})
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		if t[input("y")&15] == 1 {
			print("new")
		} else {
			print("old")
		}
	})
	wg.Wait()
}

// Each goroutine has a table of its own.
//
// reads: an element of any index
// want: 1
// want: 2
func storesOfOwn() {
	done := make(chan int)
	for _, name := range []string{"x", "y"} {
		go func() {
			var t [20]int
			t[input(name)&15] = 1
			done <- t[3]
		}()
	}
	if n := <-done + <-done; n == 2 {
		print(2)
	} else {
		print(1)
	}
}

// The other goroutine has used the table, if earlier: the element is made concrete.
//
// reads: an element of one index
func storeAfterOther() {
	t := make([]int, 20)
	done := make(chan bool)
	go func() {
		t[1] = 21
		done <- true
	}()
	<-done
	t[input("x")&15] = 3
}

// The other goroutine uses the table at the same time, if not the element of this run.
//
// reads: an element of any index, given up: access to a table that another goroutine writes at an index that depends on the input
func storeBeforeOther() {
	t := make([]int, 20)
	done := make(chan bool)
	go func() {
		if t[1] == 3 {
			print(3)
		}
		done <- true
	}()
	t[input("x")&15] = 3
	<-done
}

// The same the other way round: the element is made concrete.
//
// reads: an element of one index
func storeAfterRace() {
	t := make([]int, 20)
	done := make(chan bool)
	go func() {
		t[input("x")&15] = 3
		done <- true
	}()
	if t[1] == 3 {
		print(3)
	}
	<-done
}

// The other goroutine uses the table afterwards.
//
// want: three
// want: other
// reads: an element of any index
func storeHandedOver() {
	t := make([]int, 20)
	next := make(chan bool)
	done := make(chan bool)
	go func() {
		<-next
		if t[1] == 3 {
			print("three")
		} else {
			print("other")
		}
		done <- true
	}()
	t[input("x")&15] = 3
	next <- true
	<-done
}

// What BenchmarkHistogram searches for.
func histogramOfText() {
	s := text("s", 20)
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	if counts['a'] == 7 && counts['b'] == 9 && counts[s[3]] == 3 {
		print("found")
	}
}
