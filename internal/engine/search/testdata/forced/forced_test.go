// Package forced has a test of which there is only one run, and others in which something is chosen.
package forced

import (
	"sync"
	"testing"
)

func TestOne(t *testing.T) {
	var mu sync.Mutex
	sum := 0
	t.Run("sub", func(t *testing.T) {
		for i := range 10 {
			mu.Lock()
			sum += i
			mu.Unlock()
		}
	})
	if sum != 45 {
		t.Fatal(sum)
	}
}

// TestMeetings has a long run, in which two goroutines meet again and again: it takes long if each step is compared with all before it.
func TestMeetings(t *testing.T) {
	c := make(chan int)
	go func() {
		for i := range 4000 {
			c <- i
		}
		close(c)
	}()
	sum := 0
	for i := range c {
		sum += i
	}
	if sum != 4000*3999/2 {
		t.Fatal(sum)
	}
}

func TestGoroutine(t *testing.T) {
	done := make(chan int, 1)
	go func() { done <- 1 }()
	select {
	case <-done:
	default:
	}
}

func TestMap(t *testing.T) {
	last := 0
	for k := range map[int]bool{1: true, 2: true} {
		last = k
	}
	if last == 0 {
		t.Fatal()
	}
}

func FuzzInput(f *testing.F) {
	f.Fuzz(func(t *testing.T, n uint8) {
		if n == 7 {
			t.Log(n)
		}
	})
}
