// Package pkgzpool has a test of github.com/go-pkgz/pool.
package pkgzpool

import (
	"context"
	"errors"
	"testing"

	"github.com/go-pkgz/pool"
)

// TestError: a pool stops at the first error, unless WithContinueOnError says otherwise.
// Submit looks whether it has, and then sends to workers that may be gone.
func TestError(t *testing.T) {
	down := pool.WorkerFunc[int](func(context.Context, int) error { return errors.New("down") })
	p := pool.New[int](1, down).WithBatchSize(0)
	ctx := context.Background()
	if err := p.Go(ctx); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		p.Submit(i)
	}
	if err := p.Close(ctx); err == nil {
		t.Error("no error")
	}
}
