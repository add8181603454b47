// Package commonspool has tests of github.com/jolestar/go-commons-pool/v2.
package commonspool

import (
	"context"
	"sync"
	"testing"

	pool "github.com/jolestar/go-commons-pool/v2"
)

func newPool(ctx context.Context) *pool.ObjectPool {
	config := pool.NewDefaultPoolConfig()
	config.MaxTotal = 1
	type object struct{ n int }
	return pool.NewObjectPool(ctx, pool.NewPooledObjectFactorySimple(func(context.Context) (any, error) {
		return &object{1}, nil
	}), config)
}

// TestInvalidate: "If the pool is full [...], this method will block until an object is
// returned to the pool". It blocks for ever if the object is invalidated after it found the
// pool full and before it waits: the pool is empty then, and nobody tells it.
func TestInvalidate(t *testing.T) {
	ctx := context.Background()
	p := newPool(ctx)
	object, err := p.BorrowObject(ctx)
	if err != nil {
		t.Fatal(err)
	}
	go p.InvalidateObject(ctx, object)
	if _, err := p.BorrowObject(ctx); err != nil {
		t.Error(err)
	}
}

// TestClose: Close releases the goroutines that wait for an object, but not one that is
// about to wait.
func TestClose(t *testing.T) {
	ctx := context.Background()
	p := newPool(ctx)
	object, err := p.BorrowObject(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { p.BorrowObject(ctx) })
	wg.Go(func() { p.Close(ctx) })
	p.ReturnObject(ctx, object)
	wg.Wait()
}

// TestNumActive: "GetNumActive return the number of instances currently borrowed from pool."
func TestNumActive(t *testing.T) {
	ctx := context.Background()
	p := newPool(ctx)
	go p.AddObject(ctx)
	if n := p.GetNumActive(); n < 0 {
		t.Errorf("%d objects are borrowed", n)
	}
}
