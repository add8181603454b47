// Package maploop has loops over maps, and says what their results are.
package maploop

import (
	"fmt"
	"slices"
	"strings"
)

// A Body is a loop over a map m, from the keys 0 … n-1 to the elements that Element says,
// that does something that other orders may or may not change. Its result is left in the
// variable r.
type Body struct {
	Source string
	// Result is that of a loop which visits the keys in an order.
	Result func(order []int) int
}

// Lines returns the source of a loop over n keys, which leaves its result in r<dst>.
func (b *Body) Lines(dst, n int) []string {
	entries := ""
	for k := range n {
		entries += fmt.Sprintf("%d: %d, ", k, Element(k))
	}
	lines := []string{fmt.Sprintf("for m, r := (map[int]int{%s}), 0; len(m) >= 0; {", entries)}
	lines = append(lines, strings.Split(strings.TrimSpace(b.Source), "\n")...)
	return append(lines, fmt.Sprintf("r%d = r", dst), "break", "}")
}

// Element returns the element of a key. Those of the first and the last key are the same.
func Element(key int) int { return 1 + key%2 }

// Bodies are the loops. The result of a sum is that of any order, that of the last key to
// come is another one in another order, and so on.
var Bodies = []Body{
	{`
for k, v := range m {
	r += 4*k + v
}
`, func(order []int) (r int) {
		for _, k := range order {
			r += 4*k + Element(k)
		}
		return r
	}},
	{`
for k := range m {
	for j := range m {
		r += k * j
	}
}
`, func(order []int) (r int) {
		for _, k := range order {
			for j := range order {
				r += k * j
			}
		}
		return r
	}},
	{`
for k := range m {
	r = 2*r + k
}
`, func(order []int) (r int) {
		for _, k := range order {
			r = 2*r + k
		}
		return r
	}},
	{`
f := 0.0
for k := range m {
	f += [3]float64{1, 1e20, -1e20}[k]
}
r = int(f) & 1
`, func(order []int) int {
		f := 0.0
		for _, k := range order {
			f += [3]float64{1, 1e20, -1e20}[k]
		}
		return int(f) & 1
	}},
	{`
for k := range m {
	r = k
}
`, func(order []int) int { return order[len(order)-1] }},
	{`
for k := range m {
	r = k
	break
}
`, func(order []int) int { return order[0] }},
	{`
for _, v := range m {
	if v > r {
		r = v
	}
}
`, func(order []int) int { return min(len(order), 2) }},
	{`
most := 0
for k, v := range m {
	if v > most {
		most, r = v, k
	}
}
`, func(order []int) (r int) {
		most := 0
		for _, k := range order {
			if v := Element(k); v > most {
				most, r = v, k
			}
		}
		return r
	}},
	{`
least := 9
for k, v := range m {
	if v < least {
		least, r = v, k
	}
}
`, func(order []int) int {
		return order[slices.IndexFunc(order, func(k int) bool { return k != 1 })]
	}},
	{`
for _, v := range m {
	if v == 2 {
		r = 1
		break
	}
}
`, func(order []int) int { return len(order) / 2 }},
	{`
for k, v := range m {
	if v == 1 {
		r = k
		break
	}
}
`, func(order []int) int {
		return order[slices.IndexFunc(order, func(k int) bool { return k != 1 })]
	}},
	{`
for _, v := range m {
	if v == 2 {
		break
	}
	r++
}
`, func(order []int) int {
		if n := slices.Index(order, 1); n >= 0 {
			return n
		}
		return len(order)
	}},
	{`
c := map[int]int{}
for k, v := range m {
	c[k] = 2 * v
}
r = 3*c[0] + len(c)
`, func(order []int) int {
		return 6 + len(order)
	}},
	{`
c := map[int]int{}
for _, v := range m {
	c[v]++
}
r = 4*c[1] + c[2]
`, func(order []int) int {
		return 4*(len(order)-len(order)/2) + len(order)/2
	}},
	{`
set := map[int]bool{}
for _, v := range m {
	set[v] = true
}
r = len(set)
`, func(order []int) int {
		return min(len(order), 2)
	}},
	{`
c := map[int]int{}
for k, v := range m {
	c[v] = k
}
r = c[1]
`, func(order []int) (r int) {
		for _, k := range order {
			if k != 1 {
				r = k
			}
		}
		return r
	}},
	{`
c := map[int]int{0: 1, 2: 1}
for k := range m {
	delete(c, k)
}
r = len(c)
`, func(order []int) int {
		return 2 - (len(order)+1)/2
	}},
	{`
for k := range m {
	delete(m, k)
	r = r<<1 + len(m)
}
`, func(order []int) (r int) {
		for i := range order {
			r = r<<1 + len(order) - i - 1
		}
		return r
	}},
	{`
for k := range m {
	delete(m, (k+1)&1)
	r = 3*r + k + 1
}
`, func(order []int) (r int) {
		deleted := [2]bool{}
		for _, k := range order {
			if k < 2 && deleted[k] {
				continue
			}
			deleted[(k+1)&1] = true
			r = 3*r + k + 1
		}
		return r
	}},
	{`
var list []int
for k := range m {
	list = append(list, k)
}
sort.Ints(list)
for _, k := range list {
	r = 3*r + k
}
`,
		func(order []int) (r int) {
			for k := range order {
				r = 3*r + k
			}
			return r
		}},
	{`
list := make([]int, len(m))
i := 0
for k, v := range m {
	list[i] = 2*v + k
	i++
}
sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
r = list[0]
`,
		func([]int) int { return 2 }},
	{`
var list []int
for _, v := range m {
	list = append(list, v)
}
sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
for _, v := range list {
	r = 3*r + v
}
`,
		func(order []int) int { return []int{0, 1, 5, 14}[len(order)] }},
	{`
var list []int
for k := range m {
	list = append(list, k)
}
r = list[0]
sort.Ints(list)
`,
		func(order []int) int { return order[0] }},
	{`
var list []int
for k := range m {
	list = append(list, k)
}
sort.Slice(list, func(i, j int) bool { return list[i]&1 < list[j]&1 })
r = list[0]
`,
		func(order []int) int { return order[slices.IndexFunc(order, func(k int) bool { return k != 1 })] }},
	{`
list := []*[2]int{}
for k, v := range m {
	list = append(list, &[2]int{k, v})
}
for _, p := range list {
	r = 3*r + p[0]
}
`,
		func(order []int) (r int) {
			for _, k := range order {
				r = 3*r + k
			}
			return r
		}},
	{`
x := struct{ sum, last int }{}
p := &x
for k, v := range m {
	p.sum += v
	p.last = k
}
r = 4*x.sum + x.last
`,
		func(order []int) (r int) {
			for _, k := range order {
				r += Element(k)
			}
			return 4*r + order[len(order)-1]
		}},
	{`
x := struct{ sum, bits int }{}
add := func(n int) { x.sum += n }
add(1)
for k, v := range m {
	x.sum += v
	x.bits |= 1 << k
}
r = x.sum + x.bits
`,
		func(order []int) int { return 1 + []int{0, 1, 3, 4}[len(order)] + 1<<len(order) - 1 }},
	{`
x := 0
step := func(k int) { x = 2*x + k }
for k := range m {
	step(k)
}
r = x
`, func(order []int) (r int) {
		for _, k := range order {
			r = 2*r + k
		}
		return r
	}},
	{`
keys := func(m map[int]int) []int {
	var list []int
	for k := range m {
		list = append(list, k)
	}
	return list
}
list := keys(m)
sort.Ints(list)
r = 3*list[0] + list[1]
`, func([]int) int { return 1 }},
	{`
keys := func(m map[int]int) []int {
	var list []int
	for k := range m {
		list = append(list, k)
	}
	return list
}
list := keys(m)
other := keys(m)
sort.Ints(list)
r = 3*list[1] + other[0]
`, func(order []int) int { return 3 + order[0] }},
	{`
c := &struct{ n int }{1}
before := c.n
c.n++
after := c.n
for _, v := range m {
	if v == 1 {
		r = before
	} else {
		r = after
	}
}
`, func(order []int) int { return Element(order[len(order)-1]) }},
	{`
list := make([]int, 0, 1)
old := list
for k := range m {
	list = append(list, k)
}
sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
r = old[:1][0]
`, func(order []int) int {
		if len(order) == 1 {
			return 0
		}
		return order[0]
	}},
	{`
c := map[int]int{}
fs := map[int]func() int{}
for k := range m {
	var x int
	c[x] = k
	x = k + 1
	fs[k] = func() int { return x }
}
r = c[0] + fs[0]()
`, func(order []int) int { return order[len(order)-1] + 1 }},
	{ranged + `
s.Range(func(k, v any) bool {
	r += 4*k.(int) + v.(int)
	return true
})
`, func(order []int) (r int) {
		for _, k := range order {
			r += 4*k + Element(k)
		}
		return r
	}},
	{ranged + `
s.Range(func(k, v any) bool {
	r = 2*r + k.(int)
	return true
})
`, func(order []int) (r int) {
		for _, k := range order {
			r = 2*r + k
		}
		return r
	}},
	{ranged + `
s.Range(func(k, _ any) bool {
	r = k.(int)
	return false
})
`, func(order []int) int { return order[0] }},
	{ranged + `
c := map[int]int{}
s.Range(func(k, v any) bool {
	c[k.(int)] = 2 * v.(int)
	return true
})
r = 3*c[0] + len(c)
`, func(order []int) int { return 6 + len(order) }},
	{ranged + `
c := map[int]int{}
s.Range(func(k, v any) bool {
	c[v.(int)] = k.(int)
	return true
})
r = c[1]
`, func(order []int) (r int) {
		for _, k := range order {
			if k != 1 {
				r = k
			}
		}
		return r
	}},
	{`
type id int
s := map[any]int{}
for k, v := range m {
	if k < 2 {
		s[k] = v
	} else {
		s[id(0)] = 3
	}
}
c := map[int]int{}
for k, v := range s {
	if v == 3 {
		c[int(k.(id))] = v
	} else {
		c[k.(int)] = v
	}
}
r = c[0]
`, func(order []int) int {
		if slices.Index(order, 2) > slices.Index(order, 0) {
			return 3
		}
		return 1
	}},
}

// ranged fills a sync.Map with what is in m.
const ranged = `
var s sync.Map
for k, v := range m {
	s.Store(k, v)
}
`

// Orders returns all orders of n keys.
func Orders(n int) [][]int {
	all := [][]int{nil}
	for k := range n {
		var longer [][]int
		for _, order := range all {
			for at := range len(order) + 1 {
				longer = append(longer, slices.Insert(slices.Clone(order), at, k))
			}
		}
		all = longer
	}
	return all
}
