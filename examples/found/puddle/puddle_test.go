// Package puddle has tests of github.com/jackc/puddle/v2: "Pool is a concurrency-safe
// resource pool."
package puddle

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/puddle/v2"
)

func newPool(t *testing.T, version *atomic.Int32) *puddle.Pool[int32] {
	p, err := puddle.NewPool(&puddle.Config[int32]{
		Constructor: func(context.Context) (int32, error) { return version.Load(), nil },
		Destructor:  func(int32) {},
		MaxSize:     1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestReset: "Reset destroys all resources, but leaves the pool open. It is intended for use
// when an error is detected that would disrupt all resources." CreateResource puts a
// resource that it has constructed before into the pool afterwards.
func TestReset(t *testing.T) {
	var version atomic.Int32
	p := newPool(t, &version)
	ctx := context.Background()
	var wg sync.WaitGroup
	wg.Go(func() { p.CreateResource(ctx) })
	wg.Go(func() {
		version.Store(1)
		p.Reset()
	})
	wg.Wait()
	res, err := p.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if res.Value() != 1 {
		t.Error("a resource constructed before Reset was acquired after it")
	}
	res.Release()
	p.Close()
}

// TestClose: "Close destroys all resources in the pool". One that CreateResource constructs
// meanwhile is destroyed, but is counted for ever.
func TestClose(t *testing.T) {
	var version atomic.Int32
	p := newPool(t, &version)
	var wg sync.WaitGroup
	wg.Go(func() { p.CreateResource(context.Background()) })
	wg.Go(func() { p.Close() })
	wg.Wait()
	if n := p.Stat().TotalResources(); n != 0 {
		t.Errorf("the closed pool has %d resources", n)
	}
}
