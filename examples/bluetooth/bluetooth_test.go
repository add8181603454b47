package bluetooth

import (
	"errors"
	"sync"
	"testing"
)

// FuzzDevice stops a device while a request is under way. Only requests that
// write, on a device that may be written, touch what Stop frees.
func FuzzDevice(f *testing.F) {
	f.Add(uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, writes, request uint8) {
		d := New(int(writes))
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := d.Request(request == 'w'); errors.Is(err, ErrStopped) {
				t.Error(err)
			}
		})
		wg.Go(d.Stop)
		wg.Wait()
	})
}
