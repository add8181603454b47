package memory

type pair struct{ a, b int }

type node struct {
	next *node
	pair
}

var global int

func use(*int)

func fields(x int) int {
	var p pair
	q := &p
	if x > 0 {
		q.a = 1
	}
	q.b = x
	return q.a + q.b
}

func escapes(x int) int {
	p := new(pair)
	p.a = x
	use(&p.b)
	r := p.a
	p.a = 2
	return r + p.a + p.b
}

func pointers(p, q *node) int {
	p.a = 1
	q.b = 2
	p.next = q
	q.a = 3
	return p.a + p.b + p.next.a
}

func whole(p *node, v pair) int {
	p.a = 1
	p.pair = v
	p.b = 2
	return p.a + p.b
}

func loop(list []*node) (sum int) {
	for _, n := range list {
		if n.a == 0 {
			n.a = 1
		}
		sum += n.a
	}
	return sum
}

func fresh(n int) *int {
	var last *int
	for i := 0; i < n; i++ {
		v := new(int)
		if last != nil {
			*v = *last
		}
		use(v)
		last = v
	}
	return last
}

func globals() int {
	global = 1
	x := global
	use(nil)
	return x + global
}

func maps(m, other map[string]int, strange map[int]bool) int {
	m["a"] = 1
	strange[1] = true
	delete(other, "a")
	return m["a"]
}

func deferred() (n int) {
	defer func() { n++ }()
	n = 1
	return n
}

func filled() (list [4]byte) {
	fill(list[:])
	return list
}

func fill(list []byte) { list[0] = 1 }
