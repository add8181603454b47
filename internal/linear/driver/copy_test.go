package driver

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
)

type shared struct {
	n          int
	next, prev *shared
	part       *int
	cell       [2]leaf
	leaf       *leaf
	any        any
	items      []leaf
	by, same   map[string]*shared
	c          chan *shared
	recv       <-chan *shared
	closed     chan int
	top        atomic.Pointer[shared]
	mu         sync.Mutex
	f          func() int
	none       *struct{}
}

type leaf struct {
	v  int
	to *shared
}

// structure makes what two goroutines could have: pointers to one variable, to parts, in cycles, and through all that pointers are in.
func structure() *shared {
	a, b := &shared{n: 1}, &shared{n: 2}
	a.part = &b.n // before b is found
	a.next, b.next, b.prev = b, a, a
	a.cell[1] = leaf{3, b}
	a.leaf, b.leaf = &b.cell[0], &a.cell[1]
	a.any = leaf{4, a}
	b.any = a
	a.items = append(make([]leaf, 0, 4), leaf{5, b}, leaf{6, nil})
	a.by = map[string]*shared{"a": a, "b": b}
	a.same = a.by
	a.c = make(chan *shared, 2)
	a.c <- b
	a.recv = a.c
	a.closed = make(chan int, 1)
	a.closed <- 7
	close(a.closed)
	a.top.Store(b)
	a.f = func() int { return 8 }
	return a
}

func TestCopy(t *testing.T) {
	o := linearOriginalOf([2]*shared{structure()})
	for range 2 { // the original stays as it is
		original, c := o.value[0], o.copied()
		if c[1] != nil || c[0] == original {
			t.Fatal("it is no copy")
		}
		a, b := c[0], c[0].next
		switch {
		case b == original.next || a.n != 1 || b.n != 2 || a.part != &b.n || b.next != a || b.prev != a || a.prev != nil:
			t.Errorf("pointers to variables: %+v, %+v", a, b)
		case a.cell != [2]leaf{{}, {3, b}} || a.leaf != &b.cell[0] || b.leaf != &a.cell[1]:
			t.Errorf("pointers to parts: %+v, %+v", a, b)
		case a.any != leaf{4, a} || b.any != a:
			t.Errorf("interfaces: %v, %v", a.any, b.any)
		case !reflect.DeepEqual(a.items, []leaf{{5, b}, {6, nil}}) || cap(a.items) != 4 || &a.items[0] == &original.items[0]:
			t.Errorf("slices: %v", a.items)
		case len(a.by) != 2 || a.by["a"] != a || a.by["b"] != b:
			t.Errorf("maps: %v", a.by)
		case len(a.c) != 1 || cap(a.c) != 2 || a.recv != (<-chan *shared)(a.c) || a.c == original.c || <-a.c != b:
			t.Errorf("channels: %v", a.c)
		case a.top.Load() != b || a.f() != 8 || !a.mu.TryLock():
			t.Errorf("others: %+v", a)
		}
		if n, ok := <-a.closed; n != 7 || !ok {
			t.Errorf("the closed channel has %d, %t", n, ok)
		}
		if _, ok := <-a.closed; ok {
			t.Error("it is not closed")
		}
		a.same["c"], a.n, a.items[0].v = a, 9, 9
		if len(a.by) != 3 || len(original.by) != 2 || original.n != 1 || original.items[0].v != 5 {
			t.Error("the copy is not apart from the original")
		}
	}
}

// Two values have the same text if they can be told apart by nothing but names, and what cannot be seen is not known.
func TestReader(t *testing.T) {
	change := func(f func(a *shared)) *shared {
		a := structure()
		a.f = nil
		f(a)
		return a
	}
	r := linearReaderOf([]string{reflect.TypeFor[shared]().PkgPath()})
	read := func(v any) (string, bool) { return r.read(&v) }
	same, known := read(change(func(a *shared) {}))
	if !known {
		t.Error("it is not known")
	}
	if again, _ := read(change(func(a *shared) {})); again != same {
		t.Errorf("another text:\n%s\n%s", same, again)
	}
	for name, f := range map[string]func(a *shared){
		"number":           func(a *shared) { a.n = 3 },
		"pointer":          func(a *shared) { a.next.prev = a.next },
		"nil":              func(a *shared) { a.next.prev = nil },
		"part":             func(a *shared) { a.part = &a.n },
		"element":          func(a *shared) { a.leaf = &a.next.cell[1] },
		"copy":             func(a *shared) { n := a.next.n; a.part = &n },
		"in a slice":       func(a *shared) { a.items[1].v = 9 },
		"beyond its end":   func(a *shared) { a.items[:3][2].v = 9 },
		"its end":          func(a *shared) { a.items = a.items[:1] },
		"its room":         func(a *shared) { a.items = a.items[:2:2] },
		"in a map":         func(a *shared) { a.by["a"] = a.next },
		"key":              func(a *shared) { a.by["c"] = a },
		"another map":      func(a *shared) { a.same = map[string]*shared{"a": a, "b": a.next} },
		"type":             func(a *shared) { a.any = a },
		"in an interface":  func(a *shared) { a.any = leaf{5, a} },
		"in a channel":     func(a *shared) { <-a.c; a.c <- a },
		"empty":            func(a *shared) { <-a.c },
		"close":            func(a *shared) { close(a.c) },
		"another channel":  func(a *shared) { c := make(chan *shared, 2); c <- a.next; a.recv = c },
		"atomic":           func(a *shared) { a.top.Store(a) },
		"lock":             func(a *shared) { a.mu.Lock() },
		"function":         func(a *shared) { a.f = func() int { return a.n } },
		"function of none": func(a *shared) { a.f = seven },
	} {
		one, known := read(change(f))
		if one == same {
			t.Errorf("%s: the text is the same", name)
		}
		if again, _ := read(change(f)); known && (again == one) != (name != "function") {
			t.Errorf("%s: the text is another one, or one of variables that are not known is the same", name)
		}
	}
	type pair struct{ a, b *leaf }
	type other leaf
	x := leaf{}
	for name, test := range map[string]struct {
		v     any
		known bool
	}{
		"a package that is not listed": {reflect.TypeFor[int](), false},
		"a key without order":          {map[*int]int{new(int): 1}, false},
		"no key":                       {map[*int]int{}, true},
		"a converted pointer": {struct {
			a *leaf
			b *other
		}{&x, (*other)(&x)}, false},
		"two pointers": {pair{&x, &x}, true},
		"a first field": {struct {
			a *leaf
			b *int
		}{&x, &x.v}, true},
		"a channel to write": {make(chan<- int, 1), false},
	} {
		if _, known := read(test.v); known != test.known {
			t.Errorf("%s: known: %t", name, known)
		}
	}
}

func seven() int { return 7 }

// The states of a queue with room for two are as many as there are queues of that length.
func TestStates(t *testing.T) {
	l := &linearTest[*[]int]{
		makes: []linearMake[*[]int]{{"none", func() (*[]int, bool) { q := make([]int, 0, 2); return &q, true }}},
		calls: []linearCall[*[]int]{
			{name: "push 1", do: func(q *[]int, r *linearResult) { push(q, 1) }},
			{name: "push 2", do: func(q *[]int, r *linearResult) { push(q, 2) }},
			{name: "clear", do: func(q *[]int, r *linearResult) { clear((*q)[:2]); *q = (*q)[:0] }},
		},
	}
	for _, test := range []struct {
		calls, most int
		once        bool
		want        int
		more        bool
	}{
		{0, 99, true, 1, false}, {1, 99, true, 3, false}, {2, 99, true, 7, false}, {3, 99, true, 7, false}, {4, 99, true, 7, false},
		{2, 99, false, 1 + 3 + 9, false}, {2, 5, true, 5, true}, {2, 7, true, 7, false},
	} {
		starts, more := l.states(test.calls, test.most, test.once, nil)
		if len(starts) != test.want || more != test.more {
			t.Errorf("%+v: %d states, more %t: %v", test, len(starts), more, starts)
		}
	}
}

func push(q *[]int, n int) {
	if len(*q) < 2 {
		*q = append(*q, n)
	}
}
