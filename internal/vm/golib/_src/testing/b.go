package testing

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A B is the state of a benchmark. It is run once, with N = 1.
type B struct {
	common
	N      int
	names  *matcher
	looped bool // Loop has returned true

	bytes       int64
	parallelism int
	metrics     map[string]float64
	signal      chan bool
}

// run runs f as the benchmark's function.
func (b *B) run(f func(*B)) {
	defer func() {
		if panicking() {
			return
		}
		if !b.has(finished) {
			panic(errNoReturn)
		}
		b.complete()
		if b.signal != nil {
			b.signal <- true
		}
	}()
	defer b.cleanup()
	f(b)
	b.status.Or(finished)
}

// Run runs f as a benchmark below b, and reports whether it has not failed.
func (b *B) Run(name string, f func(b *B)) bool {
	sub := &B{
		common: common{name: b.subName(b.names, name), parent: &b.common},
		N:      1,
		names:  b.names,
		signal: make(chan bool),
	}
	go sub.run(f)
	<-sub.signal
	return !sub.has(failed)
}

// Loop reports whether the body of the benchmark is to run again: it runs once.
func (b *B) Loop() bool {
	again := !b.looped
	b.looped = true
	return again
}

// StartTimer does nothing: there is nothing to measure.
func (b *B) StartTimer() {}

// StopTimer does nothing.
func (b *B) StopTimer() {}

// ResetTimer does nothing.
func (b *B) ResetTimer() {}

// Elapsed returns no time.
func (b *B) Elapsed() time.Duration { return 0 }

// ReportAllocs does nothing.
func (b *B) ReportAllocs() {}

// SetBytes sets the number of bytes that an iteration processes.
func (b *B) SetBytes(n int64) { b.bytes = n }

// SetParallelism multiplies the goroutines of RunParallel by p.
func (b *B) SetParallelism(p int) {
	if p >= 1 {
		b.parallelism = p
	}
}

// ReportMetric notes a metric of the benchmark.
func (b *B) ReportMetric(n float64, unit string) {
	if unit == "" {
		panic("metric unit must not be empty")
	}
	if strings.IndexFunc(unit, isSpace) >= 0 {
		panic("metric unit must not contain whitespace")
	}
	if b.metrics == nil {
		b.metrics = make(map[string]float64)
	}
	b.metrics[unit] = n
}

// parallelBodies is how many goroutines RunParallel starts.
const parallelBodies = 2

// RunParallel runs body in several goroutines, with one iteration for each.
func (b *B) RunParallel(body func(*PB)) {
	var left atomic.Int64
	left.Store(parallelBodies)
	var wg sync.WaitGroup
	for range parallelBodies {
		wg.Go(func() { body(&PB{&left}) })
	}
	wg.Wait()
}

// A PB deals out the iterations of RunParallel.
type PB struct {
	left *atomic.Int64
}

// Next reports whether there is another iteration.
func (pb *PB) Next() bool { return pb.left.Add(-1) >= 0 }

// Benchmark runs f once.
func Benchmark(f func(b *B)) BenchmarkResult {
	b := &B{common: common{name: "benchmark"}, N: 1, names: newNames(), signal: make(chan bool)}
	go b.run(f)
	<-b.signal
	return BenchmarkResult{N: b.N, Bytes: b.bytes, Extra: b.metrics}
}

// A BenchmarkResult is what a benchmark measured.
type BenchmarkResult struct {
	N         int
	T         time.Duration
	Bytes     int64
	MemAllocs uint64
	MemBytes  uint64
	Extra     map[string]float64
}

// NsPerOp returns the time of an iteration.
func (r BenchmarkResult) NsPerOp() int64 {
	if r.N <= 0 {
		return 0
	}
	return r.T.Nanoseconds() / int64(r.N)
}

// AllocsPerOp returns the allocations of an iteration.
func (r BenchmarkResult) AllocsPerOp() int64 {
	countAllocations()
	if r.N <= 0 {
		return 0
	}
	return int64(r.MemAllocs) / int64(r.N)
}

// AllocedBytesPerOp returns the bytes that an iteration allocates.
func (r BenchmarkResult) AllocedBytesPerOp() int64 {
	countAllocations()
	if r.N <= 0 {
		return 0
	}
	return int64(r.MemBytes) / int64(r.N)
}

// String returns the iterations and the time of one.
func (r BenchmarkResult) String() string {
	ns := float64(r.T.Nanoseconds()) / math.Max(float64(r.N), 1)
	return fmt.Sprintf("%8d\t%10.0f ns/op", r.N, ns)
}

// MemString returns the allocations of an iteration.
func (r BenchmarkResult) MemString() string {
	return fmt.Sprintf("%8d B/op\t%8d allocs/op", r.AllocedBytesPerOp(), r.AllocsPerOp())
}

// AllocsPerRun calls f, and returns no allocations: which variables live on the
// heap is the compiler's choice. The test is not judged by it.
func AllocsPerRun(runs int, f func()) (avg float64) {
	countAllocations()
	defer runtime.KeepAlive(f)
	f()
	return 0
}

// countAllocations tells that allocations are counted.
func countAllocations()
