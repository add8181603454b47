// Package alike has targets whose runs leave much behind: what they log, files,
// sub-tests, timers, inputs drawn late.
package alike

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLog(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var order []int
	for i := range 3 {
		wg.Go(func() {
			for k := range 2 {
				mu.Lock()
				order = append(order, i)
				t.Log("goroutine", i, "time", k)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Log(order)
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	var n atomic.Int32
	for i := range 3 {
		wg.Go(func() {
			k := int(n.Add(1))
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(k)), []byte{byte('a' + i)}, 0o666); err != nil {
				t.Error(err)
			}
			n.Add(int32(10 * i))
		})
	}
	wg.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		t.Logf("%s: %s", e.Name(), text)
	}
}

func TestSub(t *testing.T) {
	var n atomic.Int32
	for i := range 2 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() { t.Log("ends", n.Add(1)) })
			n.Add(int32(10 * i))
			n.Add(int32(100 * i))
		})
	}
}

func TestTime(t *testing.T) {
	done := make(chan int, 3)
	var n atomic.Int32
	for i := range 3 {
		time.AfterFunc(time.Second, func() { done <- 10*i + int(n.Add(1)) })
	}
	timeout := time.After(time.Minute)
	for range 3 {
		select {
		case k := <-done:
			t.Log(k)
		case <-timeout:
			t.Fatal("late")
		}
	}
}

func TestPanics(t *testing.T) {
	var n atomic.Int32
	last := make(chan int32)
	for range 3 {
		go func() {
			defer func() { last <- n.Add(1) }()
			n.Add(1)
		}()
	}
	for range 3 {
		if k := <-last; k == 6 {
			defer func() { t.Log("recovered", recover()) }()
			panic(k)
		}
	}
	panic("not all of them")
}

func FuzzLate(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, b int8) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for i := range 2 {
			wg.Go(func() {
				mu.Lock()
				n = 3*n + i
				mu.Unlock()
				mu.Lock()
				n++
				mu.Unlock()
			})
		}
		wg.Wait()
		switch {
		case int(a) > n:
			t.Log("more than", n)
		case b < a && n > 5:
			t.Log("less than", n)
		}
	})
}
