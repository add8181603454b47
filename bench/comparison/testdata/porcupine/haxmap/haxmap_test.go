package haxmap

import (
	"testing"

	"github.com/alphadose/haxmap"

	"github.com/everyway-go/everyway/examples/found/history"
)

func create() func(history.Call) history.Result {
	m := haxmap.New[int, int]()
	m.SetHasher(func(k int) uintptr { return uintptr(k) })
	return func(c history.Call) history.Result {
		var r history.Result
		switch c.Name {
		case "Get":
			r.Value, r.OK = m.Get(c.Key)
		case "Set":
			m.Set(c.Key, c.Value)
		case "Del":
			m.Del(c.Key)
		case "GetAndDel":
			r.Value, r.OK = m.GetAndDel(c.Key)
		case "GetOrSet":
			r.Value, r.OK = m.GetOrSet(c.Key, c.Value)
			return r
		}
		if !r.OK {
			r.Value = 0 // the value of a key that is not there means nothing
		}
		return r
	}
}

// createCompute is create with GetOrCompute in the place of GetOrSet: it says whether a value was there.
func createCompute() func(history.Call) history.Result {
	m := haxmap.New[int, int]()
	return func(c history.Call) history.Result {
		if c.Name == "Del" {
			m.Del(c.Key)
			return history.Result{}
		}
		value, loaded := m.GetOrCompute(c.Key, func() int { return c.Value })
		return history.Result{Value: value, OK: loaded}
	}
}

func TestGetOrSet(t *testing.T) {
	history.Check(t, create, history.Any("GetOrSet", "Del"), history.Map())
}

func TestGetOrCompute(t *testing.T) {
	history.Check(t, createCompute, history.Any("GetOrSet", "Del"), history.Map())
}

func TestSet(t *testing.T) {
	history.Check(t, create, history.Any("Get", "Set", "Del"), history.Map())
}

func TestGetAndDel(t *testing.T) {
	history.Check(t, create, history.Any("Set", "GetAndDel"), history.Map())
}
