package main

func xorshift(n int, x uint64) uint64 {
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

func main() { println(xorshift(5_000_000, 88172645463325252)) }
