package main

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

type T struct {
	a, b int
	s    string
}

func (t T) Name() string { return t.s }

type Namer interface{ Name() string }

func d() (r int) {
	defer func() {
		if e := recover(); e != nil {
			println("recovered")
			r = 7
		}
	}()
	var a []int
	return a[3]
}

func main() {
	println(fib(20))
	m := map[string]int{"a": 1, "b": 2}
	m["c"] = 3
	delete(m, "a")
	n := 0
	for k, v := range m {
		println(k, v)
		n += v
	}
	println(n, len(m))
	var x Namer = T{1, 2, "hello"}
	println(x.Name() + " world")
	println(d())
	c := make(chan int)
	go func() {
		for i := range 3 {
			c <- i
		}
		close(c)
	}()
	for v := range c {
		println(v)
	}
	for i, r := range "héé" {
		println(i, r)
	}
	s := []int{}
	for i := range 20 {
		s = append(s, i)
	}
	println(len(s), cap(s), s[10:12:15][1])
	println(1.5, float32(2.25), complex(1, 2), true, 'x')
}
