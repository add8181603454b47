package cache2go

import (
	"testing"

	"github.com/muesli/cache2go"

	"github.com/everyway-go/everyway/examples/found/history"
)

func TestDeleteTwice(t *testing.T) {
	create := func() func(history.Call) history.Result {
		table := cache2go.Cache("history")
		table.Flush()
		return func(c history.Call) history.Result {
			if c.Name == "Set" {
				table.Add(c.Key, 0, c.Value)
				return history.Result{}
			}
			_, err := table.Delete(c.Key)
			return history.Result{OK: err == nil}
		}
	}
	history.Check(t, create, history.Any("Set", "Delete"), history.Map())
}
