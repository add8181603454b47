// Package httprate has tests of github.com/go-chi/httprate, a "net/http request rate limiter".
package httprate

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-chi/httprate"
)

// slow is a ResponseWriter that takes a while when it is asked for its header first.
type slow struct {
	http.ResponseWriter
	asked bool
}

func (s *slow) Header() http.Header {
	if !s.asked {
		s.asked = true
		time.Sleep(time.Second)
	}
	return s.ResponseWriter.Header()
}

// TestWindow: a request whose window has ended before it takes the lock makes the limiter
// forget what was counted in the next window.
func TestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 3
		l := httprate.NewRateLimiter(limit, time.Second)
		passes := func(w http.ResponseWriter) bool {
			return !l.OnLimit(w, httptest.NewRequest("GET", "/", nil), "key")
		}
		time.Sleep(500 * time.Millisecond)
		late := make(chan bool)
		go func() { late <- passes(&slow{ResponseWriter: httptest.NewRecorder()}) }()
		time.Sleep(900 * time.Millisecond)
		n := 0
		for i := range 6 {
			if i == 2 && <-late {
				n++
			}
			if passes(httptest.NewRecorder()) {
				n++
			}
		}
		if n > limit {
			t.Errorf("%d requests passed within a tenth of a second, want %d at most", n, limit)
		}
	})
}
