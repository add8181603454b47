// Package many has runs of many goroutines that wait for most of the time.
package many

func hundred() { gate(100) }

func thousand() { gate(1000) }

// gate lets n goroutines go on that wait on a channel.
func gate(n int) {
	open := make(chan int)
	done := make(chan int, n)
	for range n {
		go func() {
			<-open
			done <- 1
		}()
	}
	close(open)
	for range n {
		<-done
	}
}
