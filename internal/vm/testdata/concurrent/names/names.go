package names

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"text/template"
	"unsafe"
)

// The functions below have goroutines, and objects, of which some can be told apart and others cannot. The
// comments say how many states they have, and how many up to names.

// states: 52 12
func count() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	wg.Add(3)
	for range 3 {
		go func() {
			mu.Lock()
			n++
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	println(n)
}

// Each goroutine has data of its own.
func pointers() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	sum := 0
	for range 3 {
		p := new(int)
		wg.Go(func() {
			*p = 7
			mu.Lock()
			sum += *p
			mu.Unlock()
		})
	}
	wg.Wait()
	println(sum)
}

// They are numbered, which can be seen.
func numbered() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var order []int
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Println(order)
}

// The first of two that are alike gets what only one of them can get.
func first() {
	var wg sync.WaitGroup
	var won atomic.Pointer[int]
	mine := make([]*int, 2)
	for i := range mine {
		mine[i] = new(int)
		wg.Go(func() { won.CompareAndSwap(nil, mine[i]) })
	}
	wg.Wait()
	println(won.Load() == mine[0])
}

// Who has got there first is only known to a pointer.
func pointed() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var last *int
	a, b := new(int), new(int)
	for _, p := range []*int{a, b} {
		wg.Go(func() {
			mu.Lock()
			last = p
			mu.Unlock()
		})
	}
	wg.Wait()
	println(last == a, last == b)
}

// Two states that are alike but for who points to what: in a list in one order or the other.
func linked() {
	type node struct{ next *node }
	var wg sync.WaitGroup
	var mu sync.Mutex
	var head *node
	nodes := [2]*node{{}, {}}
	for i := range nodes {
		wg.Go(func() {
			mu.Lock()
			nodes[i].next, head = head, nodes[i]
			mu.Unlock()
		})
	}
	wg.Wait()
	println(head == nodes[0], head.next == nodes[0])
}

// The goroutines go on with each other's data.
func exchanged() {
	var wg sync.WaitGroup
	c := make(chan *int, 2)
	for i := range 2 {
		wg.Go(func() {
			p := new(int)
			c <- p
			q := <-c
			println(p == q, i)
		})
	}
	wg.Wait()
}

// One of them starts another, which is the second one's child in another order.
func children() {
	var wg sync.WaitGroup
	var once sync.Once
	for range 2 {
		wg.Go(func() {
			once.Do(func() {
				wg.Go(func() { println("child") })
			})
		})
	}
	wg.Wait()
}

// Children of goroutines that are alike, which have ended, are alike.
func grandchildren() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	wg.Add(2)
	for range 2 {
		go func() {
			go func() {
				mu.Lock()
				n++
				mu.Unlock()
				wg.Done()
			}()
		}()
	}
	wg.Wait()
	println(n)
}

// A race between goroutines that are alike, after one that is ordered.
func race() {
	var mu sync.Mutex
	n, m := 0, 0
	for range 2 {
		go func() {
			mu.Lock()
			first := n == 0
			n++
			mu.Unlock()
			if first {
				m = 1
			} else {
				println(m)
			}
		}()
	}
}

// Only one of the goroutines, which are at the same place with the same data, knows of the write.
func known() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	x, turn := 0, 0
	wg.Add(1)
	go func() {
		mu.Lock()
		x = 1
		mu.Unlock()
		wg.Done()
	}()
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			turn++
			last := turn == 2
			mu.Unlock()
			if last {
				println(x)
			}
		})
	}
	wg.Wait()
}

// The program looks at the numbers of goroutines.
// names: seen
func shown() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var who []string
	wg.Add(3)
	for range 3 {
		go func() {
			mu.Lock()
			text := string(runtimeStack())
			who = append(who, text[:strings.Index(text, " [")])
			mu.Unlock()
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Println(who)
}

func runtimeStack() []byte {
	b := make([]byte, 1<<10)
	return b[:runtime.Stack(b, false)]
}

// The program looks at the stacks of all goroutines, in the order in which these were started.
// names: seen
func listed() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			b := make([]byte, 1<<10)
			println(len(b[:runtime.Stack(b, true)]))
		})
	}
	wg.Wait()
}

// The program looks where it is at one of two places that it goes on from in the same way.
// places: seen
func told() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			if n++; n == 1 {
				println(line())
			} else {
				println(line())
			}
		})
	}
	wg.Wait()
}

func line() int {
	_, _, line, _ := runtime.Caller(1)
	return line
}

// The program compares addresses.
// names: seen
func compared() {
	var wg sync.WaitGroup
	c := make(chan *int, 2)
	for range 2 {
		wg.Go(func() { c <- new(int) })
	}
	wg.Wait()
	println(uintptr(unsafe.Pointer(<-c)) < uintptr(unsafe.Pointer(<-c)))
}

// Templates visit the entries of a map in the order of their keys.
// names: seen
func templates() {
	var wg sync.WaitGroup
	c := make(chan *int, 2)
	for range 2 {
		wg.Go(func() { c <- new(int) })
	}
	wg.Wait()
	all := template.Must(template.New("").Parse("{{range .}}{{.}}{{end}}"))
	all.Execute(os.Stdout, map[*int]string{<-c: "first ", <-c: "second "})
}

// What a goroutine has locked is only known from its stack.
func locked() {
	var wg sync.WaitGroup
	locks := []*sync.Mutex{{}, {}}
	for i := range 2 {
		wg.Go(func() {
			a, b := locks[i], locks[1-i]
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		})
	}
	wg.Wait()
}

// Three philosophers can be told apart by their forks only.
func philosophers() {
	var wg sync.WaitGroup
	forks := make([]sync.Mutex, 3)
	for i := range forks {
		wg.Go(func() {
			forks[i].Lock()
			forks[(i+1)%3].Lock()
			forks[(i+1)%3].Unlock()
			forks[i].Unlock()
		})
	}
	wg.Wait()
}

// Errors are the same objects or not.
func errs() {
	c := make(chan error, 3)
	same := errors.New("x")
	for i := range 3 {
		go func() {
			if i == 0 {
				c <- same
			} else {
				c <- errors.New("x")
			}
		}()
	}
	a, b, d := <-c, <-c, <-c
	println(a == same, b == same, d == same)
}

// Map entries with keys that are pointers.
func keys() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	m := map[*int]int{}
	for range 2 {
		wg.Go(func() {
			p := new(int)
			mu.Lock()
			m[p] = len(m)
			mu.Unlock()
			mu.Lock()
			println(m[p])
			mu.Unlock()
		})
	}
	wg.Wait()
}

// The values of a sync.Map, by pointers.
func trie() {
	var wg sync.WaitGroup
	var m sync.Map
	for range 2 {
		wg.Go(func() {
			p := new(int)
			m.Store(p, 1)
			_, ok := m.Load(p)
			println(ok)
		})
	}
	wg.Wait()
}

// Workers take jobs from a queue.
func workers() {
	var wg sync.WaitGroup
	jobs, results := make(chan int, 3), make(chan int, 3)
	for range 2 {
		wg.Go(func() {
			for j := range jobs {
				results <- 2 * j
			}
		})
	}
	for j := range 3 {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	println(<-results, <-results, <-results)
}

// A deadlock that only one of two orders of goroutines that are alike leads to.
func deadlock() {
	c := make(chan int)
	var turn atomic.Int32
	for range 2 {
		go func() {
			if turn.Add(1) == 2 {
				return
			}
			c <- 1
		}()
	}
	select {
	case <-c:
	default:
	}
}

// Deferred calls of goroutines that are alike, in the order in which they were made.
func panics() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					println(v.(int))
				}
			}()
			mu.Lock()
			n++
			k := n
			mu.Unlock()
			if k == 2 {
				panic(k)
			}
		})
	}
	wg.Wait()
}

// Condition variables know who waits.
func conds() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	n, ready, done := 0, make(chan bool), make(chan int, 2)
	for range 2 {
		go func() {
			mu.Lock()
			if n++; n == 2 {
				close(ready)
			}
			cond.Wait()
			k := n
			n--
			mu.Unlock()
			done <- k
		}()
	}
	<-ready
	mu.Lock()
	cond.Signal()
	mu.Unlock()
	println(<-done)
	cond.Signal()
	println(<-done)
}

// A lock that another goroutine unlocks does not order what was done with it.
func handed() {
	var mu sync.Mutex
	x := 0
	c := make(chan bool)
	go func() {
		mu.Lock()
		c <- true
		x = 1
	}()
	go func() {
		<-c
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		x++
		mu.Unlock()
	}()
}

// What one has read without the lock, another one writes with it, unless it comes first.
func readBefore() {
	var mu sync.Mutex
	x, y := 0, 0
	go func() {
		if y == x {
			mu.Lock()
			y = 1
			mu.Unlock()
		}
	}()
	go func() {
		mu.Lock()
		if y == 1 {
			x = 1
		}
		mu.Unlock()
	}()
}

// There are two locks: each access is with one of them.
func twoLocks() {
	var a, b sync.Mutex
	x := 0
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			mu := &a
			if i == 1 {
				a.Lock()
				if x == 1 {
					mu = &b
				}
				a.Unlock()
			}
			mu.Lock()
			x++
			mu.Unlock()
		})
	}
	wg.Wait()
}

// Readers of an RWMutex do not exclude each other.
func readLocked() {
	var mu sync.RWMutex
	x := 0
	for range 2 {
		go func() {
			mu.RLock()
			x++
			mu.RUnlock()
		}()
	}
}

// The variable of a channel that others use is set again, once all or only one have used it.
func replaced() {
	c := make(chan int, 2)
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			c <- 1
			done <- true
		}()
	}
	<-done
	c = nil
}

// One does what another one has been added for.
func doneForAnother() {
	var wg sync.WaitGroup
	c := make(chan bool, 2)
	wg.Add(1)
	go func() { c <- true }()
	wg.Add(1)
	go func() {
		<-c
		wg.Done()
		wg.Done()
	}()
	wg.Wait()
}

// The Done may come before the Add that it is not for.
func doneTooEarly() {
	var wg sync.WaitGroup
	c := make(chan bool)
	go func() {
		<-c
		wg.Done()
	}()
	wg.Add(1)
	go func() { c <- true }()
	wg.Wait()
}

// An object is handed on: who gets it knows of what was done with it, or does not.
func handedOn() {
	var p atomic.Pointer[int]
	for range 2 {
		go func() {
			q := new(int)
			*q = 1
			p.Store(q)
			*q = 2
		}()
	}
	go func() {
		if q := p.Load(); q != nil {
			println(*q)
		}
	}()
}
