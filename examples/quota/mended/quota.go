// Package quota serves a quota over HTTP: example quota, mended.
package quota

import (
	"io"
	"net/http"
	"sync"
)

// A Quota is a handler that gives out shares of a quota. The body of a request is
// one byte, the share that is asked for.
type Quota struct {
	mu   sync.Mutex
	left int
}

// New returns a handler that gives out n in all.
func New(n int) *Quota { return &Quota{left: n} }

// Left returns what has not been given out.
func (q *Quota) Left() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.left
}

// take takes n if that much is left, and reports whether it did.
func (q *Quota) take(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n > q.left {
		return false
	}
	q.left -= n
	return true
}

func (q *Quota) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var share [1]byte
	if _, err := io.ReadFull(r.Body, share[:]); err != nil {
		http.Error(w, "no share", http.StatusBadRequest)
		return
	}
	if !q.take(int(share[0])) {
		http.Error(w, "not that much is left", http.StatusTooManyRequests)
	}
}
