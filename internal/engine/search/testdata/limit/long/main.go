// Long computes for 600,000 instructions in each run.
package main

func main() {
	c := make(chan uint32, 2)
	for range 2 {
		go func() {
			x := uint32(1)
			for range 100_000 {
				x = x*1664525 + 1013904223
			}
			c <- x
		}()
	}
	if <-c != <-c {
		panic("different sums")
	}
}
