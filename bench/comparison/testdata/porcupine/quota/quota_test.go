package quota

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/everyway-go/everyway/examples/found/history"
)

func TestQuota(t *testing.T) {
	create := func() func(history.Call) history.Result {
		q := New(100)
		return func(c history.Call) history.Result {
			w := httptest.NewRecorder()
			q.ServeHTTP(w, httptest.NewRequest("POST", "/", bytes.NewReader([]byte{byte(c.Value)})))
			return history.Result{OK: w.Code == http.StatusOK}
		}
	}
	draw := func(r *rand.Rand, _, _ int) history.Call { return history.Call{Name: "request", Value: r.IntN(60)} }
	history.Check(t, create, draw, history.Model(100, func(left int, c history.Call, r history.Result) (bool, int) {
		if c.Value > left {
			return !r.OK, left
		}
		return r.OK, left - c.Value
	}))
}
