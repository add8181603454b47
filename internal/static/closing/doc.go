// Package closing finds out which channels are open for sure, since the goroutine that is to close
// them has not done so.
//
// That a channel is not closed twice is no invariant of Go programs: the one that closes it twice
// is the bug. So it is proved where the form of the program says it, for a function that closes a
// channel once at most and is started with a channel of its own:
//
//	done := make(chan struct{})
//	go func() { defer close(done); … }()
//
// No other instruction may close the channel, as far as pointers say, and between two executions of
// the go statement, or the call, a new channel is made. The channel may be in a field, w.done of
// func (w *worker) run, if one store sets that field of a new struct, to a new channel, and whoever
// starts the function gives it a struct that it has made since, or which it has captured.
//
// Who closes such a channel by a sync.Once that is in the same struct may be started more often:
//
//	func (w *worker) Stop() { w.once.Do(func() { close(w.stop) }) }
//
// Then the channel is open as long as the sync.Once has not been done ([Closes.Guarded]). If
// anything is not of these forms, nothing is known.
package closing
