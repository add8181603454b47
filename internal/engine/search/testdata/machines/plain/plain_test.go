package plain

import (
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sort"
	"sync"
	"testing"
	"time"
)

func TestCount(t *testing.T) {
	Count++
	Seen["c"] = Count
	if Count != 1 || len(Seen) != 3 {
		t.Error(Count, Seen)
	}
}

func TestCountAgain(t *testing.T) {
	Count += 10
	delete(Seen, "a")
	if Count != 10 || len(Seen) != 1 {
		t.Error(Count, Seen)
	}
}

func TestRace(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { Count++ })
	}
	wg.Wait()
}

func TestLocked(t *testing.T) {
	var (
		mu sync.Mutex
		wg sync.WaitGroup
		n  []int
	)
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			n = append(n, i)
		})
	}
	wg.Wait()
	if n[0] == 2 && n[1] == 1 {
		t.Error("in the reverse order", len(Fill()))
	}
}

func TestDeadlock(t *testing.T) {
	a, b := make(chan int), make(chan int)
	go func() { a <- <-b }()
	b <- <-a
}

func TestLeak(t *testing.T) {
	done := make(chan bool)
	go func() { done <- true }()
	select {
	case <-done:
	case <-time.After(time.Second):
	}
}

func TestOrders(t *testing.T) {
	var keys []string
	for k := range Seen {
		keys = append(keys, k)
	}
	if keys[0] == "b" {
		t.Log(keys)
	}
	sort.Strings(keys)
	fmt.Println(keys, rand.Int63()&1)
}

func TestFile(t *testing.T) {
	text, err := os.ReadFile("plain.go")
	if err != nil || len(text) == 0 {
		t.Fatal(err)
	}
	if err := os.WriteFile("plain.go", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if !Number.MatchString("12") {
		t.Error("no number")
	}
}

func TestSubtests(t *testing.T) {
	for _, name := range []string{"", "x", "y", "xy"} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(func() { Count = 0 })
			if got := Upper(name); got == "Y" {
				t.Error(got)
			}
		})
	}
}

func TestPointers(t *testing.T) {
	type node struct{ next *node }
	n := &node{}
	n.next = &node{n}
	if text := fmt.Sprintf("%p %v", n, n.next); len(text) == 0 {
		t.Error("no text")
	}
	runtime.SetFinalizer(n, func(*node) {})
	runtime.GC()
}

func TestParallelOne(t *testing.T) {
	t.Parallel()
	Count++
}

func TestParallelTwo(t *testing.T) {
	t.Parallel()
	Count++
}

func FuzzUpper(f *testing.F) {
	f.Add("x1", uint8(1))
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		if Upper(s) == "AB" && n > 3 {
			t.Error(s, n)
		}
	})
}

func FuzzLong(f *testing.F) {
	f.Add([]byte("0123456789abcdef"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 10 && b[10] == 'Z' {
			t.Error(Fill()[5])
		}
	})
}

func ExampleUpper() {
	fmt.Println(Upper("a"))
	// Output: A
}
