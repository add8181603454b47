package channels

// Each function is run in every interleaving. The comment lists all outcomes:
// what is printed and what is found.

// want: 1 2 3
func unbuffered() {
	c := make(chan int)
	go func() {
		for i := range 3 {
			c <- i + 1
		}
		close(c)
	}()
	for v := range c {
		print(v)
		if v < 3 {
			print(" ")
		}
	}
}

// want: ab
// want: ba
func twoSenders() {
	c := make(chan string)
	go func() { c <- "a" }()
	go func() { c <- "b" }()
	print(<-c, <-c)
}

// want: 0
// want: 1
// want: 2
func buffered() {
	c := make(chan int, 2)
	done := make(chan bool)
	go func() { c <- 1; c <- 2; close(done) }()
	n := len(c)
	print(n)
	<-done
}

// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func nilChannel() {
	var c chan int
	<-c
}

// want: leak: goroutine blocked for ever: chan send
func leaks() {
	c := make(chan int)
	go func() { c <- 1 }()
}

// want: panic: panic: close of closed channel
func closedTwice() {
	c := make(chan int)
	close(c)
	close(c)
}

// want: 0false panic: panic: send on closed channel
// want: panic: panic: send on closed channel
// want: 1true
func sendOrClose() {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	go func() { close(c) }()
	v, ok := <-c
	print(v, ok)
}

// want: a
// want: b
func selectEither() {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	select {
	case <-a:
		print("a")
	case <-b:
		print("b")
	}
}

// want: got 7
// want: none leak: goroutine blocked for ever: chan send
func selectDefault() {
	c := make(chan int)
	done := make(chan bool, 1)
	go func() { c <- 7; done <- true }()
	select {
	case v := <-c:
		print("got ", v)
	default:
		print("none")
	}
}

// want: 12
// want: 21
func selectSendReceive() {
	a, b := make(chan int), make(chan int)
	go func() {
		select {
		case a <- 1:
			print("1")
			<-b
			print("2")
		case <-b:
			print("2")
			a <- 1
			print("1")
		}
	}()
	x, y := make(chan bool), make(chan bool)
	go func() { <-a; x <- true }()
	go func() { b <- 2; y <- true }()
	<-x
	<-y
}

// want: deadlock: fatal error: all goroutines are asleep - deadlock!
func emptySelect() {
	select {}
}

type pair struct {
	a, b string
	c    any
}

// want: x y 3
func wideValues() {
	c := make(chan pair, 1)
	d := make(chan pair)
	go func() { d <- <-c }()
	c <- pair{"x", "y", 3}
	p := <-d
	print(p.a, " ", p.b, " ", p.c.(int))
}

// want: none
// want: closed
func defaultBeforeClose() {
	c := make(chan int, 2)
	step := make(chan int, 1)
	go func() {
		step <- 1
		select {
		case <-c:
			print("closed")
		default:
			print("none")
		}
	}()
	close(c)
}

// want: 7 closed
// want: closed 7
func drained() {
	c, out := make(chan int, 1), make(chan string, 2)
	c <- 7
	close(c)
	for range 2 {
		go func() {
			if _, ok := <-c; ok {
				out <- "7"
			} else {
				out <- "closed"
			}
		}()
	}
	first := <-out
	print(first, " ", <-out)
}

// The sender comes after the close, or meets the receiver before it.
//
// want: closed data race: data race: send and an earlier close are not ordered
// want: met
func meetBeforeClose() {
	c, tick, out := make(chan int), make(chan int, 1), make(chan string, 2)
	go func() { close(c) }()
	go func() {
		defer func() {
			recover()
			out <- ""
		}()
		tick <- 1
		c <- 1
	}()
	go func() {
		if _, ok := <-c; ok {
			out <- "met"
		} else {
			out <- "closed"
		}
	}()
	print(<-out + <-out)
}

// Two selects meet, or one of them does something else first.
//
// want: d
// want: met
func meetBeforeOther() {
	c, d, tick, out := make(chan int), make(chan int, 1), make(chan int, 2), make(chan string)
	go func() {
		tick <- 1
		select {
		case c <- 1:
		case d <- 1:
		}
	}()
	go func() {
		tick <- 1
		select {
		case <-c:
			out <- "met"
		case <-d:
			out <- "d"
		}
	}()
	print(<-out)
}

// The sender comes after the close, or before it, when there is room.
//
// want: closed data race: data race: send and an earlier close are not ordered
// want: sent
func sendBeforeClose() {
	c, out := make(chan int, 1), make(chan string, 1)
	c <- 0
	go func() {
		defer func() {
			if recover() != nil {
				out <- "closed"
			} else {
				out <- "sent"
			}
		}()
		c <- 1
	}()
	go func() { <-c }()
	close(c)
	print(<-out)
}

// Likewise, if both are selects.
//
// want: closed data race: data race: send and an earlier close are not ordered
// want: sent
func selectBeforeClose() {
	c, d, out := make(chan int, 1), make(chan int), make(chan string, 1)
	c <- 0
	go func() {
		defer func() {
			if recover() != nil {
				out <- "closed"
			} else {
				out <- "sent"
			}
		}()
		select {
		case c <- 1:
		case <-d:
		}
	}()
	go func() {
		select {
		case <-c:
		case <-d:
		}
	}()
	close(c)
	print(<-out)
}

// Who takes the default meets a select that waits, since its other channel has been filled meanwhile.
//
// want: default
// want: met
func meetWhenFull() {
	c, full, done := make(chan int), make(chan int, 1), make(chan bool, 2)
	go func() {
		select {
		case full <- 1:
		case <-c:
		}
		done <- true
	}()
	go func() {
		select {
		case full <- 2:
		case c <- 0:
		}
		done <- true
	}()
	select {
	case c <- 1:
		print("met")
	default:
		print("default")
		<-full
	}
	<-done
	<-done
}

// Likewise, since it has been emptied.
//
// want: default
// want: met
func meetWhenEmpty() {
	c, filled, done := make(chan int), make(chan int, 1), make(chan bool, 2)
	filled <- 1
	go func() {
		select {
		case <-filled:
		case c <- 0:
		}
		done <- true
	}()
	go func() {
		<-filled
		done <- true
	}()
	select {
	case <-c:
		print("met")
	default:
		print("default")
		filled <- 2
	}
	<-done
	<-done
}

// What meets a goroutine by default fills a channel instead, of which others have looked before that it is empty: in a default case, or at its length.
//
// want: 0 empty filled
// want: 0 empty met
// want: 0 taken filled
// want: 1 empty filled
// want: 1 taken filled
func filledInstead() {
	c, full, quit, length, looked := make(chan int), make(chan int, 1), make(chan bool), make(chan int, 1), make(chan string, 1)
	go func() {
		select {
		case c <- 1:
		case <-quit:
		}
	}()
	go func() { length <- len(full) }()
	go func() {
		select {
		case <-full:
			looked <- "taken"
		default:
			looked <- "empty"
		}
	}()
	did := "met"
	select {
	case <-c:
	case full <- 1:
		did = "filled"
	}
	print(<-length, " ", <-looked, " ", did)
	close(quit)
}
