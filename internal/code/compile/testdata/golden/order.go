package order

type id [2]uint64

func parse(s string, id *id) error {
	id[0] = uint64(len(s))
	return nil
}

// The result is read when parse has written it.
func result(s string) (r id, err error) { return r, parse(s, &r) }

func local(s string) (id, error) {
	var r id
	return r, parse(s, &r)
}

// A copy that was made before stays as it was.
func copied(s string) (id, error) {
	var r id
	before := r
	return before, parse(s, &r)
}

type pair struct {
	n    int
	next *pair
}

func (p *pair) step() int {
	p.n++
	return p.n
}

func fields(p *pair) int { return p.n*p.next.n + p.step() + p.n }

func literal(p *pair) pair { return pair{p.n + p.step(), p.next} }

func list(p *pair) []int { return []int{p.n, p.step()} }

// The operand of len is read before the call.
func length(p *[]int, f func() int) (int, int) { return len(*p), f() }

// The key is read before the call, the map after.
func assign(m *map[int]int, key *int, f func() int) { (*m)[*key] = f() }

// Over several blocks, the order is from left to right.
func blocks(p *pair, f func() bool) (int, bool) { return p.n, f() && p.next != nil }
