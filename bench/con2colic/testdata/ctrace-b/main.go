// Ctrace-b is a test driver for package ctrace: two threads register, print and
// take themselves and each other out.
package main

import (
	"sync"

	"github.com/everyway-go/everyway/bench/con2colic/testdata/ctrace"
)

// work is what thread id does beside thread other, in the same bucket.
func work(t *ctrace.Trace, id, other int, name string) {
	if id == other {
		panic("ctrace-b: a thread is beside itself")
	}
	if !t.Add(id, name, ctrace.High) {
		panic("ctrace-b: the thread is registered already")
	}
	if n := t.Print(id, 1, ctrace.Medium, "begin\x01"); n == 0 {
		return // it has been taken out
	}
	if t.Remove(other) {
		if t.Remove(other) {
			panic("ctrace-b: the other thread was there twice")
		}
	} else if n := t.Print(other, 1, ctrace.Low, "late"); n > 0 {
		return
	}
	if n := t.Print(id, 2, ctrace.Low, "\tend\n"); n > 32 {
		panic("ctrace-b: the line is too long")
	}
	if !t.Remove(id) {
		return // the other was faster
	}
}

// configure sets what a list of settings says: wN the width of names, q quiet, v
// not quiet. It reports false when there is none of the name.
func configure(t *ctrace.Trace, settings string) bool {
	for len(settings) > 0 {
		setting := settings[0]
		settings = settings[1:]
		n := 0
		for len(settings) > 0 && settings[0] != ',' {
			if settings[0] < '0' || settings[0] > '9' {
				return false
			}
			n = 10*n + int(settings[0]-'0')
			settings = settings[1:]
		}
		if len(settings) > 0 {
			settings = settings[1:]
		}
		switch setting {
		case 'w':
			t.SetWidth(n)
		case 'q':
			t.Quiet(true)
		case 'v':
			t.Quiet(false)
		default:
			return false
		}
	}
	return true
}

func main() {
	t := ctrace.New(ctrace.High+1, 0, 1, 2)
	t.SetWidth(20)
	if !configure(t, "w6,q,v") {
		panic("ctrace-b: wrong configuration")
	}
	var wg sync.WaitGroup
	wg.Go(func() { work(t, 1, 5, "one") })
	wg.Go(func() { work(t, 5, 1, "five") })
	wg.Wait()
	if t.Remove(1) && t.Remove(5) {
		return
	}
	if t.Remove(5) {
		return
	}
}
