package metrics

import (
	"math"
	"runtime"
	"unsafe"
)

// Read gives each metric a value of its kind. Those of goroutines and processors are right. What
// is about memory is what [runtime.ReadMemStats] says, so that a test that asks for it is not
// judged by it, and what is not measured is zero.
func Read(m []Sample) {
	var stats *runtime.MemStats
	for i := range m {
		s := &m[i]
		s.Value = Value{}
		switch d := describe(s.Name); {
		case d == nil:
		case s.Name == "/sched/goroutines:goroutines":
			s.Value = Value{kind: KindUint64, scalar: uint64(runtime.NumGoroutine())}
		case s.Name == "/sched/gomaxprocs:threads":
			s.Value = Value{kind: KindUint64, scalar: uint64(runtime.GOMAXPROCS(0))}
		default:
			if stats == nil {
				stats = new(runtime.MemStats)
				runtime.ReadMemStats(stats)
			}
			s.Value = Value{kind: d.Kind, scalar: memory(s.Name, stats)}
			if d.Kind == KindFloat64Histogram {
				s.Value.pointer = unsafe.Pointer(empty())
			}
		}
	}
}

// describe returns the description of a metric, nil if there is none of that name.
func describe(name string) *Description {
	for i := range allDesc {
		if allDesc[i].Name == name {
			return &allDesc[i]
		}
	}
	return nil
}

// memory returns the value of a metric about memory, zero for others.
func memory(name string, stats *runtime.MemStats) uint64 {
	switch name {
	case "/gc/heap/allocs:bytes":
		return stats.TotalAlloc
	case "/gc/heap/allocs:objects":
		return stats.Mallocs
	case "/gc/heap/objects:objects":
		return stats.HeapObjects
	case "/gc/heap/live:bytes", "/memory/classes/heap/objects:bytes":
		return stats.HeapAlloc
	case "/memory/classes/total:bytes":
		return stats.Sys
	}
	return 0
}

// empty returns a histogram without observations, whose buckets are powers of two from
// 64 nanoseconds on, as the runtime's are but for being finer.
func empty() *Float64Histogram {
	h := &Float64Histogram{Buckets: []float64{math.Inf(-1), 0}}
	for bound := 64e-9; bound < 1e5; bound *= 2 {
		h.Buckets = append(h.Buckets, bound)
	}
	h.Buckets = append(h.Buckets, math.Inf(1))
	h.Counts = make([]uint64, len(h.Buckets)-1)
	return h
}
