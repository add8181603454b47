// Command variants has loops in frames with symbolic values that they touch
// sometimes, never, or from some round on.
package main

import (
	"sort"
	"strings"

	"github.com/everyway-go/everyway/sym"
)

type pair struct {
	key, value int
	name       string
}

func sum(a []int, s string, x int) (n int) {
	for i := range 40 {
		n += a[i%len(a)]
		if i == 11 {
			a[3] = x
		}
		if n > 1000 {
			n -= len(s)
		}
		if s[i%len(s)] == 'q' {
			n++
		}
	}
	return n
}

func untouched(x int) int {
	n := uint64(1)
	for range 50 {
		n ^= n << 13
		n ^= n >> 7
	}
	if n == 5 {
		return x
	}
	return x + int(n&1)
}

func recovered(x, i int, a []int) (n int) {
	n = x
	defer func() {
		if recover() != nil {
			n++
		}
	}()
	n += a[i] + x
	return n
}

func pairs(x int, s string) (n int) {
	m := map[string]pair{"a": {1, x, s}, s: {x, 2, "b"}}
	list := []pair{m["a"], m[s], {3, 4, "c"}}
	sort.Slice(list, func(i, k int) bool { return list[i].key < list[k].key })
	f := func(p pair) int { return p.value + x }
	for _, p := range list {
		if p.name == "b" || strings.Contains(p.name, "q") {
			n += f(p)
		}
		var v any = p
		if v == any(list[0]) {
			n++
		}
	}
	return n
}

func main() {
	x, s := sym.Int("x"), sym.String("s")
	if x < 0 || x > 5 || len(s) != 2 {
		return
	}
	n := sum(make([]int, 7), "abc", x) + sum([]int{5, 6, 7, 8}, s, 3)
	n += untouched(x) + recovered(x, 1, []int{x}) + recovered(x, x, []int{1, 2, 3}) + pairs(x, s)
	if n > 90 {
		println("more", n)
	}
}
