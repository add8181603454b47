// Package memory has functions that allocate much. With a limit of 1 MiB on the memory of a
// run, they end as the comments list.
package memory

import "sync"

const kept = 600 << 10 // two of these exceed the limit

// want: 400
func garbage() {
	c := make(chan int)
	go func() {
		for i := range 2 {
			n := 0
			for range 100 {
				n += len(make([]byte, 10<<10+i))
			}
			c <- n / (10<<10 + i)
		}
		close(c)
	}()
	n := 0
	for k := range c {
		for range 100 {
			n += len(make([]int, 1<<10)) >> 10
		}
		n += k
	}
	print(n)
}

// want: done
// want: bounded: more than 1 MiB of memory
func both() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var b []byte
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mine := make([]byte, kept)
			mu.Lock()
			b = append(b, mine[:3]...)
			mu.Unlock()
			mu.Lock()
			b[0] += mine[0]
			mu.Unlock()
		}()
	}
	wg.Wait()
	print("done")
}

// want: done
func one() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n += len(make([]byte, kept))
			mu.Unlock()
		}()
	}
	wg.Wait()
	print("done")
}

// want: done
func inMap() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	m := map[int][]byte{}
	for g := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 3 {
				mu.Lock()
				delete(m, 10*g+i-1)
				m[10*g+i] = make([]byte, 200<<10)
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	print("done")
}

// want: bounded: more than 1 MiB of memory
func grows() {
	var s []*int
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	for i := 0; ; i++ {
		s = append(s, new(int))
		if i%400 == 0 {
			c <- len(s)
		}
	}
}

// want: bounded: more than 1 MiB of memory
func deep() { deepBeside(800 << 10) }

// want: done
func lessDeep() { deepBeside(300 << 10) }

// deepBeside has two goroutines with deep stacks while it makes an object.
func deepBeside(size int) {
	ready, release := make(chan int), make(chan int)
	var down func(n int, a [4]int) int
	down = func(n int, a [4]int) int {
		if n == 0 {
			ready <- 1
			<-release
			return a[1]
		}
		a[n%4] = n
		return down(n-1, a) + a[3]
	}
	for range 2 {
		go down(450, [4]int{})
	}
	<-ready
	<-ready
	b := make([]byte, size)
	release <- 1
	release <- 1
	print("done"[:min(4, len(b))])
}

// want: bounded: more than 1 MiB of memory
func prints() {
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	b := make([]byte, 16<<10)
	for i := range b {
		b[i] = ' '
	}
	for {
		print(string(b))
		c <- 1
	}
}

// want: 1
func weighs() {
	c := make(chan []int, 1)
	go func() { c <- make([]int, 20<<10) }()
	n := len(<-c)
	c <- make([]int, 20<<10)
	n += len(make([]int, 20<<10))
	n += len(<-c)
	print(n / (60 << 10))
}
