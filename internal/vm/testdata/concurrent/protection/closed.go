package protection

import "sync/atomic"

// Whether a send on a closed channel is ordered with the close depends on who knows of that. Whoever comes first to the state in
// which the channel is closed and n is 1 knows of it.
func closedSend(k int) {
	c, done := make(chan int, 1), make(chan int, 1)
	var n, other atomic.Int32
	go func() {
		if k == 0 {
			close(c)
			n.Add(1)
		} else {
			n.Add(1)
			close(c)
		}
		done <- 0
	}()
	go func() {
		defer func() { recover() }()
		if len(done) == 1 && n.Load() == 1 {
			c <- 0
		}
	}()
	go func() { other.Add(1) }()
}

func closedSendFirst()  { closedSend(choice()) }
func closedSendSecond() { closedSend(1 - choice()) }
