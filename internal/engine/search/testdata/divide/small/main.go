// Small has few interleavings.
package main

func main() {
	order := make(chan int)
	for g := range 2 {
		go func() {
			for range 2 {
				order <- g
			}
		}()
	}
	for range 2 * 2 {
		<-order
	}
}
