package rand

// below returns a random number that is less than n, which is not 0: any of them.
func below(n uint64) uint64

// fixed returns x, of which this run has only one value from now on if it is random.
func fixed(x uint64) uint64

// The generator is chosen before there are goroutines that could do it in another order.
func init() { globalRand() }

// seeded returns the generator of the top-level functions if it has been seeded, by the
// program or as GODEBUG says: it gives the numbers that it gives natively. If it has not,
// any numbers may come, and seeded returns nil.
func seeded() *Rand {
	r := globalRand()
	if _, ok := r.src.(*runtimeSource); ok {
		return nil
	}
	return r
}

func newSource(seed int64) *rngSource {
	var rng rngSource
	rng.Seed(int64(fixed(uint64(seed))))
	return &rng
}

func Int63n(n int64) int64 {
	if r := seeded(); r != nil {
		return r.Int63n(n)
	}
	if n <= 0 {
		panic("invalid argument to Int63n")
	}
	return int64(below(uint64(n)))
}

func Int31n(n int32) int32 {
	if r := seeded(); r != nil {
		return r.Int31n(n)
	}
	if n <= 0 {
		panic("invalid argument to Int31n")
	}
	return int32(below(uint64(n)))
}

func Intn(n int) int {
	if r := seeded(); r != nil {
		return r.Intn(n)
	}
	if n <= 0 {
		panic("invalid argument to Intn")
	}
	return int(below(uint64(n)))
}

// Float64 divides by 1<<63, as GOROOT's does, which draws again if that gives 1: if the
// number is rounded up to 1<<63.
func Float64() float64 {
	if r := seeded(); r != nil {
		return r.Float64()
	}
	return float64(int64(below(1<<63-1<<9))) / (1 << 63)
}

// Float32 rounds what Float64 returns, and draws again if that gives 1.
func Float32() float32 {
	if r := seeded(); r != nil {
		return r.Float32()
	}
	return float32(float64(int64(below(1<<63-1<<38-1<<9))) / (1 << 63))
}

func Perm(n int) []int {
	if r := seeded(); r != nil {
		return r.Perm(n)
	}
	m := make([]int, n)
	for i := range m {
		j := int(below(uint64(i + 1)))
		m[i] = m[j]
		m[j] = i
	}
	return m
}

func Shuffle(n int, swap func(i, j int)) {
	if r := seeded(); r != nil {
		r.Shuffle(n, swap)
		return
	}
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for i := n - 1; i > 0; i-- {
		swap(i, int(below(uint64(i+1))))
	}
}

// rest gives numbers that are no inputs, for the rare cases of distributions in which others
// are drawn until one suits.
var rest = New(fixedSource{})

type fixedSource struct{}

func (fixedSource) Int63() int64 { return int64(fixed(runtime_rand()) & rngMask) }

func (fixedSource) Seed(int64) {}

func NormFloat64() float64 {
	if r := seeded(); r != nil {
		return r.NormFloat64()
	}
	j := int32(below(1 << 32))
	if i := j & 0x7F; absInt32(j) < kn[i] {
		return float64(j) * float64(wn[i])
	}
	return rest.NormFloat64()
}

func ExpFloat64() float64 {
	if r := seeded(); r != nil {
		return r.ExpFloat64()
	}
	j := uint32(below(1 << 32))
	if i := j & 0xFF; j < ke[i] {
		return float64(j) * float64(we[i])
	}
	return rest.ExpFloat64()
}
