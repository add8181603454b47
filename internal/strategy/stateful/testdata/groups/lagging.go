package groups

import "context"

// Lagging starts goroutines, one after the other, that wait for contexts which are cancelled at the end, and others that it waits for at once.
func Lagging() {
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() { <-ctx.Done() }()
		done := make(chan bool)
		go func() { close(done) }()
		<-done
	}
}
