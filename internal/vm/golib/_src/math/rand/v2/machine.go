package rand

// below returns a random number that is less than n, which is not 0: any of them.
func below(n uint64) uint64

func Int64N(n int64) int64 {
	if n <= 0 {
		panic("invalid argument to Int64N")
	}
	return int64(below(uint64(n)))
}

func Uint64N(n uint64) uint64 {
	if n == 0 {
		panic("invalid argument to Uint64N")
	}
	return below(n)
}

func Int32N(n int32) int32 {
	if n <= 0 {
		panic("invalid argument to Int32N")
	}
	return int32(below(uint64(n)))
}

func Uint32N(n uint32) uint32 {
	if n == 0 {
		panic("invalid argument to Uint32N")
	}
	return uint32(below(uint64(n)))
}

func IntN(n int) int {
	if n <= 0 {
		panic("invalid argument to IntN")
	}
	return int(below(uint64(n)))
}

func UintN(n uint) uint {
	if n == 0 {
		panic("invalid argument to UintN")
	}
	return uint(below(uint64(n)))
}

func N[Int intType](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(below(uint64(n)))
}

func Float64() float64 { return float64(below(1<<53)) / (1 << 53) }

func Float32() float32 { return float32(below(1<<24)) / (1 << 24) }

func Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
	return p
}

func Shuffle(n int, swap func(i, j int)) {
	if n < 0 {
		panic("invalid argument to Shuffle")
	}
	for i := n - 1; i > 0; i-- {
		swap(i, int(below(uint64(i+1))))
	}
}

// fixed returns x, of which this run has only one value from now on if it is random.
func fixed(x uint64) uint64

// rest gives numbers that are no inputs, for the rare cases of distributions in which others
// are drawn until one suits.
var rest = New(fixedSource{})

type fixedSource struct{}

func (fixedSource) Uint64() uint64 { return fixed(runtime_rand()) }

func NormFloat64() float64 {
	j, i := int32(below(1<<32)), below(1<<7)
	if absInt32(j) < kn[i] {
		return float64(j) * float64(wn[i])
	}
	return rest.NormFloat64()
}

func ExpFloat64() float64 {
	j, i := uint32(below(1<<32)), below(1<<8)
	if j < ke[i] {
		return float64(j) * float64(we[i])
	}
	return rest.ExpFloat64()
}
