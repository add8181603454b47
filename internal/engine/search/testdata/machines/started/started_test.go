// Package started has an initialiser that starts a goroutine.
package started

import (
	"testing"
	"time"
)

var requests, answers = make(chan int), make(chan int)

func init() {
	go func() {
		for r := range requests {
			answers <- r + 1
		}
	}()
}

func TestAsk(t *testing.T) {
	requests <- 1
	if a := <-answers; a != 2 {
		t.Error(a)
	}
}

func TestAskTwice(t *testing.T) {
	for i := range 2 {
		go func() { requests <- i }()
	}
	if a := <-answers; a == 2 {
		t.Error("the second first")
	}
	<-answers
}

func TestWait(t *testing.T) {
	select {
	case requests <- 3:
	case <-time.After(time.Second):
	}
}
