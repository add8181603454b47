package inputs

import (
	"sync"
	"sync/atomic"
)

// input draws an input variable; text a string of that many symbolic bytes.
func input(name string) int
func text(name string, n int) string

// want: big
// want: small
func shared() {
	x := input("x")
	var mu sync.Mutex
	n := 0
	go func() {
		mu.Lock()
		n = x + 1
		mu.Unlock()
	}()
	mu.Lock()
	v := n
	mu.Unlock()
	if v > 10 {
		print("big")
	} else {
		print("small")
	}
}

// want: 0
// want: 7
func channel() {
	x := input("x")
	c := make(chan int)
	go func() { c <- 2 * x }()
	if v := <-c; v == 14 {
		print(7)
	} else {
		print(0)
	}
}

// want: swapped
// want: kept
func swap() {
	x := input("x")
	var n atomic.Int64
	n.Store(int64(x))
	if n.CompareAndSwap(5, 6) {
		print("swapped")
	} else {
		print("kept")
	}
}

// want: panic: panic: runtime error: integer divide by zero
// want: panic: panic: runtime error: index out of range [-1]
// want: panic: panic: runtime error: index out of range [3] with length 3
// want: 30
// want: 15
// want: 10
// want:
func checks() {
	i, d := input("i"), input("d")
	if d < -1 || d > 1 || i < -1 || i > 3 {
		return
	}
	list := []int{30, 15, 10}
	n := list[i]
	if n/d < 0 {
		return
	}
	// The element is known by an expression of the index: to tell the indexes
	// apart takes branches.
	switch n {
	case 30:
		print(30)
	case 15:
		print(15)
	default:
		print(n)
	}
}

// want: yes
// want: no
// want:
func compareText() {
	if s := text("s", 3); s == "yes" {
		print("yes")
	} else if s < "z" {
		print("no")
	}
}

// want: a
// want: b
// want: c
// want: none
func mapKey() {
	m := map[int]string{1: "a", 10: "b"}
	m[input("x")] += "c"
	switch {
	case m[1] == "ac":
		print("a")
	case m[10] == "bc":
		print("b")
	case m[100] == "c":
		print("c")
	default:
		print("none")
	}
}

type point struct {
	x, y int
	name string
}

// want: same
// want: different
func compareStructs() {
	p := point{input("x"), input("y"), text("s", 1)}
	var q any = point{3, 4, "p"}
	if q == any(p) {
		print("same")
	} else {
		print("different")
	}
}

// want: 2
// want: 1
func runes() {
	n := 0
	for range text("s", 2) {
		n++
	}
	print(n)
}

// want: pow
// want: other
func loop() {
	x := uint8(input("x"))
	y := uint16(1)
	for range x & 7 {
		y *= 3
	}
	if y == 729 {
		print("pow")
	} else {
		print("other")
	}
}

// Inputs that are drawn when much has happened.
//
// want: big 1
// want: big 2
// want: small 1
// want: small 2
func late() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := range 2 {
		wg.Add(1)
		go func() {
			mu.Lock()
			n = 2*n + i
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	if x := input("x"); x > 10 {
		print("big ", n)
	} else {
		print("small ", n)
	}
}

// Which of two strings is less is a condition.
//
// want: first
// want: second
// want: both
// over: s[0]=almz s[1]=az
func minOfTexts() {
	s := text("s", 2)
	switch m := min(s, "m"); {
	case m != "m":
		print("first")
	case max("l", s, "n") == "n":
		print("both")
	default:
		print("second")
	}
}
