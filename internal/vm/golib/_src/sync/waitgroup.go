package sync

import "unsafe"

// A WaitGroup is a counter that can be waited for to be zero.
type WaitGroup struct {
	noCopy noCopy
	state  int64          // the counter
	bubble unsafe.Pointer // the synctest bubble it is associated with: the machine sees to it
}

// A counter that becomes negative, or is raised from zero while somebody waits,
// is a panic.
func wgAdd(state *int64, delta int)
func wgWait(state *int64)

// Add adds delta to the counter.
func (wg *WaitGroup) Add(delta int) { wgAdd(&wg.state, delta) }

// Done subtracts one from the counter.
func (wg *WaitGroup) Done() { wgAdd(&wg.state, -1) }

// Wait waits until the counter is zero.
func (wg *WaitGroup) Wait() { wgWait(&wg.state) }

// Go runs f in a new goroutine that the counter counts.
func (wg *WaitGroup) Go(f func()) {
	wg.Add(1)
	go func() {
		defer func() {
			if x := recover(); x != nil {
				// The program is about to end with this panic: do not let those
				// who wait go on as if f had completed.
				panic(x)
			}
			wg.Done()
		}()
		f()
	}()
}
