package runtime

// A Pinner keeps objects where they are, as they always do.
type Pinner struct{}

// Pin pins the object of pointer.
func (*Pinner) Pin(pointer any) {}

// Unpin unpins all objects.
func (*Pinner) Unpin() {}

// memoryUse returns the bytes and the objects that the program has allocated,
// as the gc compiler would lay them out.
func memoryUse() (bytes, objects uint64)

// MemStats are statistics of the allocator. Those of the collector are zero.
type MemStats struct {
	Alloc         uint64
	TotalAlloc    uint64
	Sys           uint64
	Lookups       uint64
	Mallocs       uint64
	Frees         uint64
	HeapAlloc     uint64
	HeapSys       uint64
	HeapIdle      uint64
	HeapInuse     uint64
	HeapReleased  uint64
	HeapObjects   uint64
	StackInuse    uint64
	StackSys      uint64
	MSpanInuse    uint64
	MSpanSys      uint64
	MCacheInuse   uint64
	MCacheSys     uint64
	BuckHashSys   uint64
	GCSys         uint64
	OtherSys      uint64
	NextGC        uint64
	LastGC        uint64
	PauseTotalNs  uint64
	PauseNs       [256]uint64
	PauseEnd      [256]uint64
	NumGC         uint32
	NumForcedGC   uint32
	GCCPUFraction float64
	EnableGC      bool
	DebugGC       bool
	BySize        [61]struct {
		Size    uint32
		Mallocs uint64
		Frees   uint64
	}
}

// ReadMemStats fills m.
func ReadMemStats(m *MemStats) {
	bytes, objects := memoryUse()
	*m = MemStats{
		Alloc: bytes, TotalAlloc: bytes, Sys: bytes, Mallocs: objects,
		HeapAlloc: bytes, HeapSys: bytes, HeapInuse: bytes, HeapObjects: objects,
		EnableGC: true,
	}
}
