package targets

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPlain(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("bad")
	}
	t.Log("name", t.Name())
}

func helper(t testing.TB, ok bool) {
	t.Helper()
	if !ok {
		t.Errorf("helper says %v", ok)
	}
}

func TestHelperFails(t *testing.T) {
	helper(t, true)
	helper(t, false)
}

// checker stands for a library of assertions, which knows Helper through an interface of
// its own.
type checker struct {
	t interface{ Errorf(string, ...any) }
}

func (c checker) Equal(a, b int) {
	if h, ok := c.t.(interface{ Helper() }); ok {
		h.Helper()
	}
	if a != b {
		c.t.Errorf("%d is not %d", a, b)
	}
}

func TestHelperOfInterface(t *testing.T) {
	checker{t}.Equal(1, 2)
}

func TestHelperNotCalled(t *testing.T) {
	check := func(help, ok bool) {
		if help {
			t.Helper()
		}
		if !ok {
			t.Errorf("help %v", help)
		}
	}
	check(false, false)
	check(true, false)
}

func TestHelperOfTest(t *testing.T) {
	t.Helper()
	func() {
		t.Helper()
		t.Error("all are helpers")
	}()
}

func TestFatalStops(t *testing.T) {
	defer func() { t.Log("deferred", t.Failed()) }()
	t.Fatalf("stop %d", 3)
	panic("not reached")
}

func TestPanics(t *testing.T) {
	t.Cleanup(func() { t.Log("cleanup ran") })
	var m map[string]int
	m["x"] = 1
}

func TestSkips(t *testing.T) {
	t.Skip("not today")
}

func TestSub(t *testing.T) {
	var order []string
	t.Cleanup(func() { order = append(order, "c1"); t.Log(order) })
	t.Cleanup(func() { order = append(order, "c2") })
	ok := t.Run("a b", func(t *testing.T) {
		t.Cleanup(func() { order = append(order, "sub") })
		if t.Name() != "TestSub/a_b" {
			t.Error(t.Name())
		}
	})
	t.Run("a b", func(t *testing.T) {
		if t.Name() != "TestSub/a_b#01" {
			t.Error(t.Name())
		}
		t.Skip()
	})
	t.Run("a\u2028b", func(t *testing.T) {
		if t.Name() != "TestSub/a_b#02" {
			t.Error(t.Name())
		}
	})
	if !ok || len(order) != 1 {
		t.Error(ok, order)
	}
}

func TestSubFails(t *testing.T) {
	t.Run("x", func(t *testing.T) { t.Run("y", func(t *testing.T) { t.Error("deep") }) })
	if !t.Failed() {
		panic("should have failed")
	}
}

func TestParallel(t *testing.T) {
	var mu sync.Mutex
	n := 0
	t.Run("group", func(t *testing.T) {
		for i := range 2 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				mu.Lock()
				n++
				mu.Unlock()
			})
		}
		mu.Lock()
		if n != 0 {
			t.Error("parallel tests ran early")
		}
		mu.Unlock()
	})
	if n != 2 {
		t.Error(n)
	}
}

func TestParallelTop(t *testing.T) { t.Parallel() }

func TestSetenvOfParallel(t *testing.T) {
	t.Parallel()
	t.Setenv("A", "b")
}

func TestEnvironment(t *testing.T) {
	t.Setenv("KEY", "value")
	if os.Getenv("KEY") != "value" {
		t.Error("no value")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), []byte("y"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if b, err := os.ReadFile("x"); string(b) != "y" || err != nil {
		t.Fatal(b, err)
	}
	if t.TempDir() == dir || !strings.Contains(dir, "TestEnvironment") {
		t.Error(dir)
	}
}

func TestContext(t *testing.T) {
	ctx := t.Context()
	t.Cleanup(func() {
		if !errors.Is(ctx.Err(), context.Canceled) {
			t.Error("not cancelled")
		}
	})
	if ctx.Err() != nil {
		t.Error("cancelled")
	}
}

func TestGoexit(t *testing.T) {
	runtime.Goexit()
}

func TestLogAfter(t *testing.T) {
	go func() {
		time.Sleep(time.Hour)
		t.Log("late")
	}()
}

func TestFailInGoroutine(t *testing.T) {
	done := make(chan bool)
	go func() { defer close(done); t.Error("from goroutine") }()
	<-done
}

func TestExit0(t *testing.T) { os.Exit(0) }

func TestExit1(t *testing.T) { os.Exit(1) }

func TestLeak(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
}

func TestFatalParent(t *testing.T) {
	t.Run("sub", func(*testing.T) { t.Fatal("parent") })
	t.Error("not reached")
}

func FuzzAdd(f *testing.F) {
	f.Add(1, "ab", []byte("xyz"), true)
	f.Fuzz(func(t *testing.T, n int, s string, b []byte, ok bool) {
		if n == 77 && len(s) == 2 && s[1] == 'q' && len(b) == 1 && ok {
			t.Errorf("found %d %q %v", n, s, b)
		}
	})
}

func FuzzBad(f *testing.F) {
	f.Fuzz(func(t *testing.T, n struct{}) {})
}

func ExampleAdd() {
	fmt.Println(Add(1, 2))
	// Output: 3
}

func ExampleAdd_wrong() {
	fmt.Println(Add(1, 2))
	// Output: 4
}

func ExampleAdd_unordered() {
	fmt.Println(2)
	fmt.Println(1)
	// Unordered output:
	// 1
	// 2
}

func BenchmarkAdd(b *testing.B) {
	for b.Loop() {
		Add(1, 2)
	}
	b.Run("n", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			Add(i, i)
		}
	})
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}

func TestRand(t *testing.T) {
	if n := rand.IntN(10); n < 0 || n > 9 {
		t.Error(n)
	}
}

func TestPool(t *testing.T) {
	p := sync.Pool{New: func() any { return 1 }}
	p.Put(2)
	if x := p.Get(); x != 2 {
		t.Errorf("got %v", x)
	}
}

func TestMessages(t *testing.T) {
	t.Error("two\nlines", 1)
	t.Fail()
	t.Run("sub", func(t *testing.T) { t.FailNow() })
}

func FuzzSeeds(f *testing.F) {
	f.Add(int8(-1), "ab", []byte{7}, true, uint16(3))
	f.Fuzz(func(t *testing.T, n int8, s string, b []byte, ok bool, _ uint16) {
		t.Logf("%d %q %v %t", n, s, b, ok)
	})
}

func FuzzMismatch(f *testing.F) {
	f.Add("x")
	f.Fuzz(func(t *testing.T, n int) {})
}

// TestLateContext asks for the context when it is cancelled.
func TestLateContext(t *testing.T) {
	t.Cleanup(func() { <-t.Context().Done() })
}
