package small

import (
	"sync"
	"testing"
)

// TestSmall leaves a goroutine that sends to nobody.
func TestSmall(t *testing.T) {
	results := make(chan int)
	go func() { results <- 1 }()
	var wg sync.WaitGroup
	release := make(chan bool)
	wg.Go(func() { <-release })
	close(release)
	wg.Wait()
}
