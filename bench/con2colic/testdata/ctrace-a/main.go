// Ctrace-a is a test driver for package ctrace: a thread prints while another
// takes it out.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/bench/con2colic/testdata/ctrace"
)

func main() {
	t := ctrace.New(ctrace.Medium, 1, 3, 40)
	t.SetWidth(4)
	t.Quiet(false)
	if !t.Add(1, "worker", ctrace.High) || t.Add(1, "again", ctrace.Low) {
		panic("ctrace-a: cannot register the worker")
	}
	if !t.Add(-513, "idle", ctrace.Low) || t.Add(7, "", ctrace.Low) {
		panic("ctrace-a: cannot register a second thread")
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if n := t.Print(1, 2, ctrace.Low, "off"); n != 0 {
			panic("ctrace-a: the unit is off")
		}
		if n := t.Print(1, 1, ctrace.High, "too high"); n != 0 {
			panic("ctrace-a: the level is off")
		}
		if n := t.Print(1, 3, ctrace.Low, "at\twork\n"); n == 0 {
			return // it has been taken out
		}
	})
	wg.Go(func() {
		if !t.Remove(1) {
			panic("ctrace-a: the worker is not registered")
		}
	})
	wg.Wait()
}
