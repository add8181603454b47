package sequential

// prelude is the part of a source that all programs share.
const prelude = `
type pair struct {
	a uint8
	b int8
	s string
}

func (p *pair) bump(x uint8)          { p.a += x; p.b-- }
func (p pair) plus(x uint8) uint8     { p.a += x; return p.a }
func twice(x uint8) uint8             { return x + x }
func lit[T any](x T) T                { return x }
func sum[T uint8 | int8 | uint16 | int32 | int](x, y T) T { return x + y }

func pick[T any](c bool, x, y T) T {
	if c {
		return x
	}
	return y
}

func first[T any](list []T) (x T) {
	for _, x = range list {
		break
	}
	return x
}

// at returns an index of n elements, 0 if there are none.
func at(i uint8, n int) int {
	if n == 0 {
		return 0
	}
	return int(i) % n
}

// cut keeps strings short.
func cut(s string) string {
	if len(s) > 6 {
		return s[len(s)-6:]
	}
	return s
}

func cutBytes(b []byte) []byte {
	if len(b) > 6 {
		return b[:6]
	}
	return b
}

// exact returns a slice that append copies.
func exact(b []byte) []byte { return b[:len(b):len(b)] }

func itoa[T uint8 | int8](x T) string { return strconv.Itoa(int(x)) }

func rec(n uint8) uint8 {
	if n < 2 || n > 9 {
		return n
	}
	return rec(n-1) + rec(n-2)
}

func down(n uint8) iter.Seq[uint8] {
	return func(yield func(uint8) bool) {
		for n &= 3; n > 0 && yield(n); n-- {
		}
	}
}

// depth counts the calls of function values that are under way.
var depth int

func call(f func(uint8) uint8, x uint8) uint8 {
	depth++
	defer func() { depth-- }()
	if depth > 3 {
		panic("deep")
	}
	return f(x)
}

func within(s string, low, high byte) bool {
	for i := range len(s) {
		if s[i] < low || s[i] > high {
			return false
		}
	}
	return true
}

var (
	_ = errors.New
	_ = fmt.Sprint
	_ = slices.Contains[[]int]
	_ = strings.Index
)
`
