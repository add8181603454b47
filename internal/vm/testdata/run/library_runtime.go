package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type T struct{ n int }

func (t *T) M() string { pc, _, _, _ := runtime.Caller(0); return runtime.FuncForPC(pc).Name() }

func deep(n int) []string {
	if n > 0 {
		return deep(n - 1)
	}
	pcs := make([]uintptr, 10)
	pcs = pcs[:runtime.Callers(1, pcs)]
	frames := runtime.CallersFrames(pcs)
	var names []string
	for {
		f, more := frames.Next()
		names = append(names, fmt.Sprintf("%s:%d", f.Function, f.Line))
		if !more || f.Function == "main.main" {
			return names
		}
	}
}

// atCall returns the line of the call of its caller, as packages of errors look it up: by an
// address in the call, before the one to which it returns.
func atCall() int {
	pcs := make([]uintptr, 1)
	runtime.Callers(2, pcs)
	pc := pcs[0] - 1
	_, line := runtime.FuncForPC(pc).FileLine(pc)
	return line
}

// The call is the first thing that it does.
func first() int {
	return atCall()
}

func second() (int, int) {
	a := atCall()
	return a,
		atCall()
}

func main() {
	fmt.Println(first())
	fmt.Println(second())
	fmt.Println((&T{}).M(), deep(2))
	func() { pc, _, line, ok := runtime.Caller(1); fmt.Println(runtime.FuncForPC(pc).Name(), line, ok) }()
	_, _, _, ok := runtime.Caller(50)
	fmt.Println(ok)
	debug.SetGCPercent(50)
	debug.FreeOSMemory()
	runtime.GC()
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
	fmt.Println(ms.Mallocs > 0)
	samples := []metrics.Sample{{Name: "no metric"}}
	for _, d := range metrics.All() {
		samples = append(samples, metrics.Sample{Name: d.Name})
	}
	metrics.Read(samples)
	for i, d := range metrics.All() {
		if samples[i+1].Value.Kind() != d.Kind {
			fmt.Println("another kind", d.Name)
		}
		if d.Kind == metrics.KindFloat64Histogram {
			if h := samples[i+1].Value.Float64Histogram(); len(h.Buckets) != len(h.Counts)+1 || !slices.IsSorted(h.Buckets) {
				fmt.Println("no histogram", d.Name)
			}
		}
	}
	fmt.Println(samples[0].Value.Kind() == metrics.KindBad)
	x := new(int)
	runtime.SetFinalizer(x, func(*int) {})
	runtime.AddCleanup(x, func(int) {}, 1).Stop()
	pprof.Do(context.Background(), pprof.Labels("a", "b"), func(ctx context.Context) {
		v, ok := pprof.Label(ctx, "a")
		fmt.Println(v, ok)
	})
	ctx, task := trace.NewTask(context.Background(), "t")
	trace.WithRegion(ctx, "r", func() { fmt.Println("region") })
	task.End()
	var wg sync.WaitGroup
	func() {
		defer func() { fmt.Println(recover()) }()
		wg.Add(-1)
	}()
	c := sync.NewCond(&sync.Mutex{})
	c.Signal()
	d := *c
	func() {
		defer func() { fmt.Println(recover()) }()
		d.Signal()
	}()
	var v atomic.Value
	func() {
		defer func() { fmt.Println(recover()) }()
		v.Store(nil)
	}()
	fmt.Println(v.Swap(1), v.CompareAndSwap(1, 2), v.CompareAndSwap(1, 3), v.Load())
	func() {
		defer func() { fmt.Println(recover()) }()
		v.CompareAndSwap(2, "x")
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		(&time.Timer{}).Stop()
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		time.NewTicker(0)
	}()
	tm := time.NewTimer(time.Millisecond)
	time.Sleep(2 * time.Millisecond)
	fmt.Println(tm.Stop(), len(tm.C))
	tm.Reset(0)
	<-tm.C
	fmt.Println(tm.Stop())
	var buf bytes.Buffer
	fmt.Println(pprof.WriteHeapProfile(&buf))
	func() {
		defer func() { e := recover().(runtime.Error); fmt.Println(e, errors.As(e, new(runtime.Error))) }()
		s := make([]int, 2, 4)
		i := 5
		_ = s[1:i]
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		s := make([]int, 2, 4)
		i := -1
		_ = s[i]
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		s := make([]int, 2)
		_ = [4]int(s)
	}()
	func() {
		defer func() { e := recover(); fmt.Printf("%T %v\n", e, e) }()
		panic(nil)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var e error
		_ = e.(fmt.Stringer)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var e any = T{}
		_ = e.(fmt.Stringer)
	}()
	fmt.Println(strings.HasPrefix(runtime.Version(), "go1"), runtime.NumCPU() > 0, runtime.Compiler)
	limit := runtime.GOMAXPROCS(3)
	fmt.Println(runtime.GOMAXPROCS(limit) == 3, runtime.GOMAXPROCS(0) == limit)
	done := make(chan bool)
	go func() {
		defer close(done)
		defer fmt.Println("deferred")
		runtime.Goexit()
	}()
	<-done
	f, err := os.CreateTemp("", "a*b")
	fmt.Println(err, strings.HasSuffix(f.Name(), "b"))
	fmt.Println(f.Truncate(10))
	st, _ := f.Stat()
	fmt.Println(st.Size(), st.Mode(), st.IsDir())
	n, err := f.WriteAt([]byte("xy"), 4)
	fmt.Println(n, err)
	b := make([]byte, 3)
	n, err = f.ReadAt(b, 4)
	fmt.Println(n, err, b)
	n, err = f.ReadAt(b, 9)
	fmt.Println(n, err)
	f.Close()
	_, err = f.Write(b)
	fmt.Println(strings.Contains(err.Error(), "file already closed"), errors.Is(err, os.ErrClosed))
	os.Remove(f.Name())
	fmt.Println(os.Chdir("/tmp"), os.Mkdir("/tmp/zzd", 0o700), os.Mkdir("/tmp/zzd", 0o700))
	fmt.Println(os.Chmod("/tmp/zzd", 0o750))
	st, err = os.Stat("zzd")
	fmt.Println(st.Mode(), err)
	fmt.Println(os.WriteFile("/tmp/zzd", nil, 0o600), os.Remove("/tmp/zzd"))
	_, err = os.ReadDir("/tmp/zzd")
	fmt.Println(err)
	fmt.Println(os.Chtimes("/tmp/zzd", time.Now(), time.Now()))
	root, err := os.OpenRoot("/tmp")
	fmt.Println(err)
	fmt.Println(root.WriteFile("zzf", []byte("r"), 0o600))
	_, err = root.Open("../etc")
	fmt.Println(err)
	bb, err := root.ReadFile("zzf")
	fmt.Println(string(bb), err, root.Remove("zzf"), root.Close())
	t0 := time.Now()
	time.Sleep(time.Millisecond)
	fmt.Println(time.Since(t0) >= time.Millisecond, time.Until(t0) < 0, t0.Before(time.Now()))
	loc, err := time.LoadLocation("UTC")
	fmt.Println(loc, err)
}
