package main

import "os"

func twice[T int | float64](x T) T {
	return x + x
}

func unused() int {
	return len(os.Args)
}

func main() {
	x := 1; x = twice(x)
	y := twice(1.5)
	defer func() { println(x, y) }()
}
