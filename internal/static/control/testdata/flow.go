package flow

import "os"

func branch(x int) int {
	if x > 0 {
		x++
	} else if x < -1 {
		return 0
	}
	return x
}

func loop(n int) (sum int) {
	for i := 0; i < n; i++ {
		if i == 7 {
			continue
		}
		if i == 9 {
			break
		}
		sum += i
	}
	return sum
}

func forever(c chan int) {
	for {
		c <- 1
	}
}

func fails(x int) int {
	if x == 0 {
		panic("zero")
	}
	return 1 / x
}

func exits(x int) {
	if x == 0 {
		os.Exit(1)
	}
	println(x)
}

func recovers(x int) (err any) {
	defer func() { err = recover() }()
	if x == 0 {
		panic("zero")
	}
	return nil
}

func choose(a, b chan int, done chan bool) int {
	select {
	case v := <-a:
		return v
	case b <- 1:
		return 1
	case <-done:
	}
	return 0
}

func both(a, b bool) int {
	if a && b {
		return 1
	}
	return 2
}
