package main

func quicksort(s []int) {
	for len(s) > 1 {
		p, i, j := s[len(s)/2], 0, len(s)-1
		for i <= j {
			for s[i] < p {
				i++
			}
			for s[j] > p {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		quicksort(s[:j+1])
		s = s[i:]
	}
}

func main() {
	s := make([]int, 300_000)
	x := uint32(2463534242)
	for i := range s {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		s[i] = int(x)
	}
	quicksort(s)
	for i := range s[1:] {
		if s[i] > s[i+1] {
			panic("not sorted")
		}
	}
	println(s[0], s[len(s)-1])
}
