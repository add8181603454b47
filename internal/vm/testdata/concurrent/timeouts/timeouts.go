// Package timeouts has programs of goroutines that are alike and set timers: they wait for a channel or a time.
package timeouts

import (
	"sync"
	"sync/atomic"
	"time"
)

// Both wait equally long.
func same() {
	ch := make(chan int, 1)
	for range 2 {
		go func() {
			select {
			case <-time.After(time.Second):
			case <-ch:
			}
		}()
	}
	ch <- 1
}

// One waits longer than the other.
func different() {
	ch := make(chan int, 1)
	for i := range 2 {
		go func() {
			select {
			case <-time.After(time.Duration(i+1) * time.Second):
			case <-ch:
			}
		}()
	}
	ch <- 1
}

// They can also meet.
func meeting() {
	ch := make(chan int)
	for i := range 2 {
		go func() {
			select {
			case <-time.After(time.Second):
			case <-ch:
			case ch <- i:
			}
		}()
	}
}

// Who prints what tells them apart afterwards.
func printed() {
	ch := make(chan int)
	for i := range 2 {
		go func() {
			select {
			case <-time.After(time.Second):
				print("t", i)
			case <-ch:
				print("c", i)
			}
		}()
	}
	ch <- 1
}

// Main waits for a time as well, and then for both.
func counted() {
	var n atomic.Int32
	ch := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			select {
			case <-time.After(time.Second):
				n.Add(1)
			case <-ch:
				n.Add(10)
			}
		})
	}
	select {
	case ch <- 1:
	case <-time.After(time.Second):
	}
	wg.Wait()
	print(n.Load())
}

// Each waits twice, the second time while its first timer may still fire.
func two() {
	ch := make(chan int)
	for range 2 {
		go func() {
			for range 2 {
				select {
				case <-time.After(time.Second):
				case <-ch:
				}
			}
		}()
	}
	ch <- 1
}

// Each waits twice, and stops its timers.
func twoStopped() {
	ch := make(chan int, 2)
	for range 2 {
		go func() {
			for range 2 {
				t := time.NewTimer(time.Second)
				select {
				case <-t.C:
				case <-ch:
				}
				t.Stop()
			}
		}()
	}
	ch <- 1
	ch <- 1
}

// Their timers start goroutines.
func funcs() {
	ch := make(chan int, 2)
	for range 2 {
		go func() {
			t := time.AfterFunc(time.Second, func() { ch <- 1 })
			<-ch
			t.Stop()
		}()
	}
}

// Two of three wait no time at all, and all can meet.
func three() {
	ch := make(chan int)
	for i := range 3 {
		go func() {
			select {
			case <-time.After(time.Duration(i/2) * time.Second):
			case <-ch:
			case ch <- 1:
			}
		}()
	}
}

// They wait for tickers.
func tickers() {
	ch := make(chan int)
	for range 2 {
		go func() {
			t := time.NewTicker(time.Second)
			defer t.Stop()
			for range 2 {
				select {
				case <-t.C:
				case <-ch:
				}
			}
		}()
	}
	ch <- 1
}

// They set their timers again.
func resets() {
	ch := make(chan int, 1)
	for range 2 {
		go func() {
			t := time.NewTimer(time.Second)
			select {
			case <-t.C:
			case <-ch:
				t.Reset(time.Second)
				<-t.C
			}
		}()
	}
	ch <- 1
}

// They share a timer, and have one each.
func shared() {
	t := time.NewTimer(time.Second)
	ch := make(chan int)
	for range 2 {
		go func() {
			select {
			case <-t.C:
				t.Reset(time.Second)
			case <-ch:
			case ch <- 1:
			case <-time.After(time.Second):
			}
		}()
	}
}

// Others wait for their timers.
func child() {
	ch := make(chan int)
	for range 2 {
		go func() {
			c := time.After(time.Second)
			go func() {
				select {
				case <-c:
				case <-ch:
				case ch <- 1:
				}
			}()
		}()
	}
}
