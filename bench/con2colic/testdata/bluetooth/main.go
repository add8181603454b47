// Bluetooth is the model of a Bluetooth driver of Qadeer and Wu, "KISS: Keep It
// Simple and Sequential" (PLDI 2004), with their functions: requests count
// themselves in and out, and a stop waits until nobody is in. A request that
// looks at the stopping flag just before the stop sets it, and counts itself in
// after the stop has found nobody, works on a device that is gone.
package main

import (
	"errors"
	"sync"

	"github.com/everyway-go/everyway/sym"
)

// The requests that the driver knows.
const (
	opOpen = iota
	opRead
	opWrite
	opClose
)

// maxTransfer is the largest size of a read or write.
const maxTransfer = 64

var (
	errStopping = errors.New("bluetooth: device is stopping")
	errSize     = errors.New("bluetooth: bad size")
	errRequest  = errors.New("bluetooth: unknown request")
)

// A deviceExtension is the driver's state.
type deviceExtension struct {
	mu            sync.Mutex
	pendingIO     int // requests that are in, plus one until the stop
	stoppingFlag  bool
	stoppingEvent bool // nobody is in
	stopped       bool
}

// ioIncrement counts a request in.
func (e *deviceExtension) ioIncrement() error {
	e.mu.Lock()
	stopping := e.stoppingFlag
	e.mu.Unlock()
	if stopping {
		return errStopping
	}
	e.mu.Lock()
	e.pendingIO++ // bug: the stop may have found nobody in the meantime
	e.mu.Unlock()
	return nil
}

// ioDecrement counts a request out.
func (e *deviceExtension) ioDecrement() {
	e.mu.Lock()
	e.pendingIO--
	if e.pendingIO == 0 {
		e.stoppingEvent = true
	}
	e.mu.Unlock()
}

// add carries out a request.
func (e *deviceExtension) add(op, size int) error {
	switch op {
	case opOpen, opClose:
	case opRead, opWrite:
		if size <= 0 || size > maxTransfer {
			return errSize
		}
	default:
		return errRequest
	}
	if err := e.ioIncrement(); err != nil {
		return err
	}
	e.mu.Lock()
	stopped := e.stopped
	e.mu.Unlock()
	if stopped {
		panic("a request works on a device that is stopped")
	}
	e.ioDecrement()
	return nil
}

// stop waits for the requests that are in and frees the device; it reports
// whether nobody was in.
func (e *deviceExtension) stop() bool {
	e.mu.Lock()
	e.stoppingFlag = true
	e.mu.Unlock()
	e.ioDecrement()
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.stoppingEvent {
		return false
	}
	e.stopped = true
	return true
}

func main() {
	op, size := int(sym.Uint8("op")), int(sym.Int8("size"))
	e := &deviceExtension{pendingIO: 1}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := e.add(op, size); errors.Is(err, errStopping) {
			return // the caller tries another device
		}
	})
	wg.Go(func() {
		if !e.stop() {
			return // it is left to the last request
		}
	})
	wg.Wait()
}
