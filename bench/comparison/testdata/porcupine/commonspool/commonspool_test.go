package commonspool

import (
	"context"
	"math/rand/v2"
	"testing"

	pool "github.com/jolestar/go-commons-pool/v2"

	"github.com/everyway-go/everyway/examples/found/history"
)

// TestNumActive: two goroutines add an object, or borrow one and return it, in turn, and a third asks how many are borrowed.
func TestNumActive(t *testing.T) {
	ctx := context.Background()
	create := func() func(history.Call) history.Result {
		config := pool.NewDefaultPoolConfig()
		config.MaxTotal = -1 // no limit: nobody waits
		type object struct{ n int }
		p := pool.NewObjectPool(ctx, pool.NewPooledObjectFactorySimple(func(context.Context) (any, error) {
			return &object{1}, nil
		}), config)
		borrowed := make(chan any, 100)
		return func(c history.Call) history.Result {
			switch c.Name {
			case "AddObject":
				p.AddObject(ctx)
			case "BorrowObject":
				o, err := p.BorrowObject(ctx)
				borrowed <- o
				return history.Result{OK: err == nil}
			case "ReturnObject":
				return history.Result{OK: p.ReturnObject(ctx, <-borrowed) == nil}
			case "GetNumActive":
				return history.Result{Value: p.GetNumActive()}
			}
			return history.Result{}
		}
	}
	draw := func(_ *rand.Rand, goroutine, call int) history.Call {
		if goroutine == 2 {
			return history.Call{Name: "GetNumActive"}
		}
		return history.Call{Name: []string{"AddObject", "BorrowObject", "ReturnObject"}[call%3]}
	}
	history.Check(t, create, draw, history.Model(0, func(active int, c history.Call, r history.Result) (bool, int) {
		switch c.Name {
		case "BorrowObject":
			return r.OK, active + 1
		case "ReturnObject":
			return r.OK && active > 0, active - 1
		case "GetNumActive":
			return r.Value == active, active
		}
		return true, active
	}))
}
