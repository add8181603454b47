// Package near has a place to which only one of many ways leads.
package near

import (
	"sync/atomic"
	"testing"
)

func far(n *atomic.Int32) { n.Add(1) }

func TestNear(t *testing.T) {
	var a, b, flag atomic.Int32
	done := make(chan bool)
	go func() {
		far(&a)
		far(&b)
		done <- true
	}()
	go func() {
		far(&b)
		flag.Store(1)
		flag.Store(0)
		far(&a)
		done <- true
	}()
	far(&a)
	far(&b)
	if flag.Load() == 1 {
		if flag.Load() == 0 {
			t.Log("here")
		}
	}
	<-done
	<-done
}
