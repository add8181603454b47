// Package circuitbreaker has tests of github.com/rubyist/circuitbreaker.
package circuitbreaker

import (
	"errors"
	"sync"
	"testing"

	circuit "github.com/rubyist/circuitbreaker"
)

// TestThreshold: "A Threshold Breaker will trip when the failure count reaches a given
// threshold." Two failures at once are both counted before either is compared with it.
func TestThreshold(t *testing.T) {
	cb := circuit.NewThresholdBreaker(1)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { cb.Call(func() error { return errors.New("down") }, 0) })
	}
	wg.Wait()
	if !cb.Tripped() {
		t.Errorf("%d failures, a threshold of 1, and the breaker is closed", cb.Failures())
	}
}

// TestListener: the breaker makes room in a full channel of events by taking one itself,
// and waits for ever if the listener has just taken it.
func TestListener(t *testing.T) {
	cb := circuit.NewBreaker()
	events := make(chan circuit.ListenerEvent, 1)
	cb.AddListener(events)
	done := make(chan bool)
	go func() {
		<-events
		close(done)
	}()
	cb.Trip()
	cb.Trip()
	<-done
}
