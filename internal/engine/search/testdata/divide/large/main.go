// Large has many interleavings.
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
	for range 2 * 8 {
		<-order
	}
}
