package main

import "os"

func twice[T int | float64](x T) T {
	return x + x
}

func unused() int {
	return len(os.Args)
}

func main() {
	x := twice(keeps(1))
	y := twice(1.5)
	defer func() { println(x); println(y) }()
}

func keeps(x int) int {
	y := x
	_ = func() {
		println(1)
	}
	return -y
}
