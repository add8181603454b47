// Package eventbus has tests of github.com/asaskevich/EventBus.
package eventbus

import (
	"sync"
	"sync/atomic"
	"testing"

	EventBus "github.com/asaskevich/EventBus"
)

// TestOnceAfterTransactional: "SubscribeOnce subscribes to a topic once. Handler will be
// removed after executing." Publish releases the bus's lock while it waits for a
// transactional handler, after it has copied the handlers.
func TestOnceAfterTransactional(t *testing.T) {
	bus := EventBus.New()
	var calls atomic.Int32
	bus.SubscribeAsync("topic", func() {}, true)
	bus.SubscribeOnce("topic", func() { calls.Add(1) })
	var wg sync.WaitGroup
	wg.Go(func() { bus.Publish("topic") })
	wg.Go(func() { bus.Publish("topic") })
	wg.Wait()
	bus.WaitAsync()
	if n := calls.Load(); n != 1 {
		t.Errorf("the handler subscribed once was called %d times", n)
	}
}

// TestOnceTwice: Publish removes the second of two handlers by its index among the handlers
// that there were before the first was removed. It needs no interleaving.
func TestOnceTwice(t *testing.T) {
	bus := EventBus.New()
	var a, b int
	bus.SubscribeOnce("topic", func() { a++ })
	bus.SubscribeOnce("topic", func() { b++ })
	bus.Publish("topic")
	bus.Publish("topic")
	if a != 1 || b != 1 {
		t.Errorf("the handlers subscribed once were called %d and %d times", a, b)
	}
}
