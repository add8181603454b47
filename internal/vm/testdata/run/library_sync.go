package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"io/fs"
	"iter"
	"math"
	"math/rand"
	randv2 "math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing/fstest"
	"testing/iotest"
	"time"
	"unique"
	"weak"
)

func seq(yield func(int) bool) {
	for i := range 3 {
		if !yield(i) {
			fmt.Println("stopped")
			return
		}
	}
}

func where() string {
	_, file, line, ok := runtime.Caller(1)
	return fmt.Sprint(filepath.Base(file), ":", line, " ", ok)
}

func main() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		c.Broadcast()
	}()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
	fmt.Println(mu.TryLock(), mu.TryLock())
	var rw sync.RWMutex
	rw.RLock()
	fmt.Println(rw.TryLock(), rw.TryRLock())
	f := sync.OnceValue(func() int { fmt.Println("computed"); return 7 })
	fmt.Println(f(), f())
	p := sync.Pool{New: func() any { return "new" }}
	p.Put("old")
	fmt.Println(p.Get(), p.Get())
	var m sync.Map
	for i := range 3 {
		m.Store(i, i*i)
	}
	v, loaded := m.LoadOrStore(1, 9)
	fmt.Println(v, loaded, m.CompareAndSwap(2, 4, 5), m.CompareAndDelete(0, 1))
	sum := 0
	m.Range(func(k, v any) bool { sum += v.(int); m.Delete(k); return true })
	fmt.Println(sum)
	for _, do := range []func(){
		func() { new(sync.Map).Load([]int{}) },
		func() { new(sync.Map).Store([]int{}, 1) },
		func() { m.Delete(map[int]int{}) },
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			do()
		}()
	}
	var av atomic.Value
	av.Store([]int{1})
	fmt.Println(av.Load(), av.Load() != nil)
	func() {
		defer func() { fmt.Println(recover()) }()
		av.Store("x")
	}()
	var ap atomic.Pointer[int]
	n := 3
	fmt.Println(ap.CompareAndSwap(nil, &n), *ap.Load())
	var ai atomic.Int32
	fmt.Println(ai.Add(5), ai.And(4), ai.Or(3), ai.Load())
	next, stop := iter.Pull(iter.Seq[int](seq))
	fmt.Println(next())
	fmt.Println(next())
	stop()
	fmt.Println(next())
	next, stop = iter.Pull(iter.Seq[int](seq))
	for range 4 {
		fmt.Println(next())
	}
	stop()
	fmt.Println(unique.Make("a") == unique.Make("a"), unique.Make(1).Value(), weak.Make(&n).Value() == &n)
	r := rand.New(rand.NewSource(42))
	fmt.Println(r.Intn(100), r.Float64(), r.Perm(5))
	r2 := randv2.New(randv2.NewPCG(1, 2))
	fmt.Println(r2.IntN(100), r2.Uint64())
	var seed [32]byte
	r3 := randv2.New(randv2.NewChaCha8(seed))
	fmt.Println(r3.Uint64(), r3.Uint64())
	fmt.Printf("%x\n%x\n", sha256.Sum256([]byte("abc")), md5.Sum([]byte("abc")))
	h := fnv.New32a()
	h.Write([]byte("abc"))
	fmt.Println(crc32.ChecksumIEEE([]byte("abc")), h.Sum32())
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	z.Write([]byte(strings.Repeat("hello ", 20)))
	z.Close()
	zr, err := gzip.NewReader(&buf)
	b, _ := io.ReadAll(zr)
	fmt.Println(len(b), err)
	pr, pw := io.Pipe()
	go func() { fmt.Fprint(pw, "through a pipe"); pw.Close() }()
	b, _ = io.ReadAll(pr)
	fmt.Println(string(b))
	or, ow, err := os.Pipe()
	go func() { ow.WriteString("os pipe"); ow.Close() }()
	b, err = io.ReadAll(or)
	fmt.Println(string(b), err)
	fmt.Println(where())
	fmt.Println(strings.Contains(string(debug.Stack()), "main.main"), runtime.GOOS, runtime.NumGoroutine() > 0)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("why"))
	fmt.Println(ctx.Err(), context.Cause(ctx))
	stopf := context.AfterFunc(ctx, func() { fmt.Println("after") })
	time.Sleep(time.Millisecond)
	fmt.Println(stopf())
	dir, err := os.MkdirTemp("", "x")
	fmt.Println(err)
	os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755)
	os.WriteFile(filepath.Join(dir, "a", "f.txt"), []byte("content"), 0o644)
	os.Symlink("f.txt", filepath.Join(dir, "a", "link"))
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		info, _ := d.Info()
		fmt.Println(rel, d.IsDir(), info.Mode(), err)
		return nil
	})
	b, err = os.ReadFile(filepath.Join(dir, "a", "link"))
	fmt.Println(string(b), err)
	fmt.Println(strings.ReplaceAll(fmt.Sprint(os.Remove(filepath.Join(dir, "a"))), dir, "DIR"))
	fmt.Println(os.Rename(filepath.Join(dir, "a", "f.txt"), filepath.Join(dir, "g")))
	file, err := os.OpenFile(filepath.Join(dir, "g"), os.O_RDWR|os.O_APPEND, 0)
	file.WriteString("+more")
	file.Seek(2, io.SeekStart)
	b, _ = io.ReadAll(file)
	st, _ := file.Stat()
	fmt.Println(string(b), st.Size(), st.Name(), file.Close(), file.Close() != nil)
	fmt.Println(os.RemoveAll(dir))
	_, err = os.Stat(dir)
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	os.Setenv("K", "v")
	fmt.Println(os.ExpandEnv("$K ${K}x"), os.Getenv("NOPE") == "")
	fmt.Println(fstest.TestFS(fstest.MapFS{"a/b.txt": {Data: []byte("x")}}, "a/b.txt"))
	_, err = io.ReadAll(iotest.ErrReader(errors.New("bad")))
	fmt.Println(err)
	fmt.Println(math.Floor(-1.5), math.Pow(2, 0.5), math.Inf(1), math.Mod(7, 3), math.MaxInt64, math.Log2(8), math.Trunc(2.7), math.FMA(2, 3, 4))
	d := 90*time.Minute + 30*time.Second
	fmt.Println(d, d.Hours(), time.Unix(0, 0).UTC().Add(d).Format(time.RFC1123), time.Date(2024, 2, 30, 0, 0, 0, 0, time.UTC).Weekday())
	tm, err := time.Parse(time.DateTime, "2024-05-06 07:08:09")
	fmt.Println(tm, err, tm.YearDay(), tm.Truncate(time.Hour))
	tick := time.NewTicker(time.Millisecond)
	<-tick.C
	<-tick.C
	tick.Stop()
	timer := time.NewTimer(time.Hour)
	fmt.Println(timer.Stop(), timer.Reset(time.Millisecond))
	<-timer.C
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { close(done) })
	select {
	case <-done:
		fmt.Println("done")
	case <-time.After(time.Hour):
		fmt.Println("late")
	}
	defer func() {
		fmt.Println(recover())
		var e runtime.Error
		defer func() {
			err := recover().(error)
			fmt.Println(err, errors.As(err, &e))
		}()
		var a []int
		_ = a[n]
	}()
	var x any = "s"
	_ = x.(int)
}
