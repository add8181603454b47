package quota

import (
	"bytes"
	"net/http/httptest"
	"sync"
	"testing"
)

func FuzzQuota(f *testing.F) {
	f.Add(byte(1), byte(2))
	f.Fuzz(func(t *testing.T, a, b byte) {
		q := New(100)
		var wg sync.WaitGroup
		for _, share := range []byte{a, b} {
			r := httptest.NewRequest("POST", "/", bytes.NewReader([]byte{share}))
			wg.Go(func() { q.ServeHTTP(httptest.NewRecorder(), r) })
		}
		wg.Wait()
		if left := q.Left(); left < 0 {
			t.Errorf("%d too many were given out", -left)
		}
	})
}
