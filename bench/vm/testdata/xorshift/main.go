// Command xorshift makes pseudo-random numbers.
package main

func main() {
	x := uint64(88172645463325252)
	for n := 0; n < 20_000_000; n++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	if x == 0 {
		panic(x)
	}
}
