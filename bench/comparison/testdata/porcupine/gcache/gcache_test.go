package gcache

import (
	"sync/atomic"
	"testing"

	"github.com/bluele/gcache"

	"github.com/everyway-go/everyway/examples/found/history"
)

// A cached is the value of a key, whether it is in the cache, and otherwise the last that was.
type cached struct {
	value   int
	present bool
}

// TestRemove: a Get of a key that is not in the cache loads a value that is new.
func TestRemove(t *testing.T) {
	create := func() func(history.Call) history.Result {
		var loads atomic.Int32
		cache := gcache.New(2).LRU().LoaderFunc(func(any) (any, error) { return int(loads.Add(1)), nil }).Build()
		return func(c history.Call) history.Result {
			if c.Name == "Remove" {
				return history.Result{OK: cache.Remove(0)}
			}
			value, err := cache.Get(0)
			if err != nil {
				return history.Result{}
			}
			return history.Result{Value: value.(int), OK: true}
		}
	}
	history.Check(t, create, history.Any("Get", "Remove"), history.Model(cached{}, func(s cached, c history.Call, r history.Result) (bool, cached) {
		switch {
		case c.Name == "Remove":
			return r.OK == s.present, cached{s.value, false}
		case s.present:
			return r.OK && r.Value == s.value, s
		}
		return r.OK && r.Value > s.value, cached{r.Value, true}
	}))
}
