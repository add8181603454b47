// Package bluetooth is the model of a Bluetooth driver of Qadeer and Wu, "KISS:
// Keep It Simple and Sequential" (PLDI 2004), as programs on testing concurrent
// code have used it since. A request counts itself in and does its work; a stop
// waits until nobody is in and frees the device. A request that looks at the
// stopping flag just before the stop sets it, and counts itself in just after
// the stop found nobody, works on a device that is gone.
package bluetooth

import (
	"errors"
	"sync"
	"sync/atomic"
)

// ErrStopping is returned to requests that come while the device stops.
var ErrStopping = errors.New("bluetooth: device is stopping")

// ErrStopped says that a request found its device freed under it, which must
// not happen.
var ErrStopped = errors.New("bluetooth: request on a stopped device")

// A Device is a driver's state.
type Device struct {
	pending  atomic.Int32 // requests that are in, plus one until Stop
	stopping atomic.Bool
	stopped  atomic.Bool
	idle     chan struct{} // closed when pending reaches zero
	once     sync.Once
	writes   int // how many requests may write at most
	used     atomic.Int32
}

// New returns a device that allows writes requests to write.
func New(writes int) *Device {
	d := &Device{idle: make(chan struct{}), writes: writes}
	d.pending.Store(1)
	return d
}

func (d *Device) enter() bool {
	if d.stopping.Load() {
		return false
	}
	d.pending.Add(1) // bug: stopping may have been set, and pending found zero
	return true
}

func (d *Device) leave() {
	if d.pending.Add(-1) == 0 {
		d.once.Do(func() { close(d.idle) })
	}
}

// Request does one request; write says whether it changes the device.
func (d *Device) Request(write bool) error {
	if !d.enter() {
		return ErrStopping
	}
	defer d.leave()
	if write && int(d.used.Add(1)) <= d.writes {
		if d.stopped.Load() {
			return ErrStopped
		}
	}
	return nil
}

// Stop waits for the requests that are in and frees the device.
func (d *Device) Stop() {
	d.stopping.Store(true)
	d.leave()
	<-d.idle
	d.stopped.Store(true)
}
