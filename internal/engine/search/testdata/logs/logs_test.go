package logs

import (
	"sync"
	"testing"
)

func each(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	wg.Wait()
}

func TestQuiet(t *testing.T) {
	var mu sync.Mutex
	n := 0
	each(4, func() { mu.Lock(); n++; mu.Unlock() })
}

// TestLogs is TestQuiet with logs.
func TestLogs(t *testing.T) {
	var mu sync.Mutex
	n := 0
	each(4, func() {
		t.Logf("before %s", "x")
		mu.Lock()
		n++
		mu.Unlock()
		t.Output().Write([]byte("after"))
	})
}

// TestLate may be done when it logs.
func TestLate(t *testing.T) {
	c := make(chan int)
	go func() {
		<-c
		t.Log("x")
	}()
	c <- 1
}

// TestParent logs to the test when the subtest is done.
func TestParent(t *testing.T) {
	c := make(chan int)
	t.Run("sub", func(t *testing.T) {
		go func() {
			t.Log("x")
			close(c)
		}()
	})
	<-c
}

// TestCleanup does not end before the goroutine has logged.
func TestCleanup(t *testing.T) {
	c := make(chan int)
	t.Cleanup(func() { <-c })
	go func() {
		t.Log("x")
		close(c)
	}()
}
