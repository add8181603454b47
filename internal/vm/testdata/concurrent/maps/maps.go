package maps

import (
	"math"
	"sync"
)

// The functions below iterate over maps in such a way that some orders lead to the same state and others do not.
// What they do in the loops is in functions, so that it is not seen in the code of the loop that it commutes.

var (
	sum  int
	list []int
)

//go:noinline
func count(k int) { sum += k }

//go:noinline
func note(k int) { list = append(list, k) }

func reset() { sum, list = 0, nil }

func show(list []int) {
	for _, k := range list {
		print(k, " ")
	}
	println()
}

func small() map[int]int { return map[int]int{1: 10, 2: 20, 3: 30} }

// states: 4 4
func commutes() {
	for k := range small() {
		count(k)
	}
	println(sum)
	reset()
}

func counts() {
	for k := range small() {
		count(k)
		for j := range small() {
			count(k * j)
		}
	}
	println(sum)
	reset()
}

func lists() {
	for k := range small() {
		note(k)
	}
	show(list)
	reset()
}

func listsTwo() {
	for k := range small() {
		if k < 3 {
			note(k)
		}
	}
	for k := range small() {
		count(k)
	}
	show(list)
	reset()
}

func listsInTurn() {
	for k := range small() {
		for range small() {
			count(1)
		}
		note(k)
	}
	show(list)
	reset()
}

//go:noinline
func put(m map[int]int, k, v int) { m[k] = v }

//go:noinline
func remove(m map[int]int, k int) { delete(m, k) }

func copied() {
	c := map[int]int{}
	for k, v := range small() {
		put(c, k, v)
	}
	for k := range c {
		note(k)
	}
	show(list)
	reset()
}

type place struct {
	name string
	n    [1]int8
}

//go:noinline
func putAny(m map[any]*any, k, v any) { m[k] = &v }

// Which of the entries there are counts, and not in which order they were made.
//
// states: 17 11
func copiedToAny() {
	c := map[any]*any{}
	for k, v := range map[string]int{"a": 1, "b": 2, "c": 3, "d": 4} {
		putAny(c, k, v)
	}
	count((*c["a"]).(int))
	println(sum)
	reset()
}

//go:noinline
func putPlace(m map[place]*int, k place, v int) { m[k] = &v }

// states: 17 11
func copiedToStructs() {
	c := map[place]*int{}
	for k, v := range map[string]int{"a": 1, "b": 2, "c": 3, "d": 4} {
		putPlace(c, place{name: k}, v)
	}
	count(*c[place{name: "a"}])
	println(sum)
	reset()
}

func copiedToFirst() {
	c := map[int]int{}
	for k, v := range small() {
		put(c, k, v)
	}
	for k := range c {
		println(k)
		break
	}
}

func lastWins() {
	c := map[int]int{}
	for k := range small() {
		put(c, k/2, k)
	}
	println(c[0], c[1])
}

func removesOthers() {
	m := small()
	for k := range m {
		remove(m, k%3+1)
		count(1)
	}
	println(sum, len(m))
	reset()
}

func addsOthers() {
	m := map[int]int{1: 1, 2: 2}
	for k := range m {
		if k < 3 {
			put(m, k+2, k)
		}
		count(k)
	}
	println(sum, len(m))
	reset()
}

func addsAgain() {
	m := small()
	for k := range m {
		remove(m, 1)
		put(m, 1, k)
		count(1)
		if sum > 4 {
			break
		}
	}
	println(sum, m[1])
	reset()
}

// againAfter makes an entry again if the loop comes to first before the others: the loop may leave it out then.
func againAfter(first int) {
	m := map[int]int{1: 10, 2: 20, 3: 30, 4: 40}
	n, fourth := 0, 0
	for k := range m {
		if n == 0 && k == first {
			remove(m, 1)
			put(m, 1, 10)
		}
		if k == 4 {
			fourth = n
		}
		n++
		count(k)
	}
	println(sum, fourth)
	reset()
}

func addsAgainAfterTwo() { againAfter(2) }

func addsAgainAfterThree() { againAfter(3) }

// addsAgainBefore makes a table whose entries are in different orders.
func addsAgainBefore() {
	m := small()
	for k := range small() {
		remove(m, k)
		put(m, k, k)
	}
	n := 0
	for k := range m {
		n = 10*n + k
		if len(m) == 3 {
			remove(m, 1)
			put(m, 4, 4)
		}
	}
	println(n)
}

func clears() {
	m := small()
	for k := range m {
		count(k)
		if sum >= 3 {
			clear(m)
			put(m, 7, 7)
		}
	}
	println(sum, len(m))
	reset()
}

func twoIterations() {
	m := small()
	for k := range m {
		for j := range m {
			if j == k {
				break
			}
			count(j)
		}
	}
	println(sum)
	reset()
}

func removesInInner() {
	m := small()
	for k := range m {
		for j := range m {
			if j > k {
				remove(m, j)
			}
		}
		count(k)
	}
	println(sum, len(m))
	reset()
}

func grows() {
	m := map[int]int{}
	for i := range 7 {
		put(m, 10+i, i)
	}
	for k := range small() {
		put(m, k, k)
	}
	for i := range 7 {
		remove(m, 10+i)
	}
	n := 0
	for k := range m {
		n = 10*n + k
	}
	println(n)
}

func texts() {
	c := map[string]int{}
	for k, v := range map[string]int{"a long text 1": 1, "a long text 2": 2, "another": 3} {
		c[k+"!"] = v
		count(v)
	}
	println(c["a long text 1!"], c["a long text 2!"], sum)
	for k := range c {
		println(k)
		break
	}
	reset()
}

type node struct {
	key  int
	next *node
}

func nodes() {
	c := map[int]*node{}
	for k := range small() {
		c[k] = &node{key: k}
		count(k)
	}
	c[1].next = c[2]
	for _, n := range c {
		if n.next != nil {
			println(n.key, n.next.key)
		}
	}
	reset()
}

func chained() {
	var first *node
	for k := range small() {
		first = &node{k, first}
		count(k)
	}
	for n := first; n != nil; n = n.next {
		print(n.key, " ")
	}
	println()
	reset()
}

func channelKeys() {
	a, b, c := make(chan int, 1), make(chan int, 1), make(chan int, 1)
	m := map[chan int]int{a: 1, b: 2, c: 3}
	for ch, v := range m {
		ch <- v
		count(v)
	}
	println(<-a, <-b, <-c)
	for ch := range m {
		println(m[ch])
		break
	}
	reset()
}

// madeInLoop has keys that are made in the order of a loop.
func madeInLoop() {
	m := map[*node]int{}
	for k := range small() {
		m[&node{key: k}] = k
		count(k)
	}
	for n, k := range m {
		println(n.key, k)
		break
	}
	reset()
}

func interfaceKeys() {
	m := map[any]int{1: 1, "1": 2, 1.5: 3}
	c := map[any]int{}
	for k, v := range m {
		c[k] = v
		count(v)
	}
	println(c[1], c["1"], c[1.5])
	for _, v := range c {
		println(v)
		break
	}
	reset()
}

func notANumber() {
	m := map[float64]int{}
	for k := range small() {
		m[math.NaN()] = k
		count(k)
	}
	n := 0
	for _, k := range m {
		n = 10*n + k
	}
	println(n)
	reset()
}

func ofMaps() {
	m := map[int]map[int]int{}
	for k := range small() {
		m[k] = map[int]int{}
		for j := range small() {
			put(m[k], j, j*k)
		}
	}
	for _, in := range m {
		for _, v := range in {
			println(v)
			break
		}
		break
	}
}

func fails() {
	defer func() {
		println(recover().(int), sum)
		reset()
	}()
	for k := range small() {
		count(k)
		if k == 2 {
			panic(k)
		}
	}
}

func waiters() {
	var wg sync.WaitGroup
	m := map[int]chan int{1: make(chan int), 2: make(chan int), 3: make(chan int)}
	var mu sync.Mutex
	for k, ch := range map[int]chan int{1: m[1], 2: m[2]} {
		wg.Go(func() {
			<-ch
			mu.Lock()
			note(k)
			mu.Unlock()
		})
	}
	for _, ch := range m {
		close(ch)
	}
	wg.Wait()
	show(list)
	reset()
}

func together() {
	var mu sync.Mutex
	done := make(chan bool)
	m := map[int]int{1: 1, 2: 2}
	go func() {
		mu.Lock()
		for k := range m {
			count(k)
		}
		put(m, 3, 3)
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	for k := range m {
		note(k)
	}
	mu.Unlock()
	<-done
	show(list)
	reset()
}

// races writes to a variable in some order, which is a race in all of them but at places that depend on it.
func races() {
	x, done := 0, make(chan bool)
	go func() {
		x = 1
		close(done)
	}()
	for k := range small() {
		if k == 2 {
			<-done
		}
		count(k)
		if k == 3 {
			println(x)
		}
	}
	<-done
	reset()
}
