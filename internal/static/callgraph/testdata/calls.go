package main

import "unsafe"

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return s.side * s.side }

type circle struct{ r int }

func (c *circle) area() int { return 3 * c.r * c.r }

type never struct{}

func (never) area() int { return 0 }

type outer struct{ square }

func run(s shape) int { return s.area() }

func apply(f func(int) int, x int) int { return f(x) }

func double(x int) int { return 2 * x }

func unused(x int) int { return x }

func worker(c chan int) { c <- 1 }

func cleanup() { println("done") }

func each(yield func(int) bool) {
	for i := range 3 {
		if !yield(i) {
			return
		}
	}
}

func loop() {
	for i := range each {
		defer println(i)
		defer cleanup()
	}
}

func size[T any](x T) uintptr { return unsafe.Sizeof(x) }

func (s square) grow(by int) int { return s.side + by }

func main() {
	run(square{2})
	run(&circle{1})
	run(outer{square{1}})
	apply(double, 2)
	apply(func(x int) int { return x + 1 }, 3)
	apply(square{1}.grow, 1)
	c := make(chan int)
	go worker(c)
	<-c
	defer cleanup()
	loop()
	size(1)
	size("")
	var nobody func(chan shape)
	if nobody != nil {
		nobody(nil)
	}
}
