// Command quicksort sorts integers.
package main

func sort(a []int) {
	for len(a) > 1 {
		pivot := a[len(a)/2]
		i, j := 0, len(a)-1
		for i <= j {
			for a[i] < pivot {
				i++
			}
			for a[j] > pivot {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		sort(a[:j+1])
		a = a[i:]
	}
}

func main() {
	a := make([]int, 300_000)
	x := uint32(1)
	for i := range a {
		x = x*1664525 + 1013904223
		a[i] = int(x >> 8)
	}
	sort(a)
	for i := 1; i < len(a); i++ {
		if a[i-1] > a[i] {
			panic("not sorted")
		}
	}
}
