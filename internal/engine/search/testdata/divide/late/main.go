// Late fails in one of many interleavings: when the goroutines take turns, the
// second one first.
package main

func main() {
	order := make(chan int)
	for g := range 2 {
		go func() {
			for range 8 {
				order <- g
			}
		}()
	}
	turns := true
	for i := range 2 * 8 {
		turns = <-order != i%2 && turns
	}
	if turns {
		panic("the goroutines took turns")
	}
}
