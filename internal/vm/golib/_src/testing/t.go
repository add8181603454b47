package testing

import (
	"fmt"
	"runtime"
	"time"
)

// A T is the state of a test.
type T struct {
	common
	names *matcher
	above *T // that runs this one by Run, in a bubble or beside other tests; nil for the target and for fuzz callbacks

	parallel bool      // Parallel has been called
	serial   bool      // Parallel must not be called: the test changes the process
	bubbled  bool      // it is the T of a synctest bubble
	signal   chan bool // true when the test is done or parallel, false to exit
	barrier  chan bool // closed when the parallel subtests may go on
	subs     []*T      // parallel subtests
}

// newNames returns what keeps the names of subtests apart.
func newNames() *matcher { return newMatcher(nil, "", "", "") }

// subName returns the name of a subtest of c, which no other has.
func (c *common) subName(names *matcher, name string) string {
	names.mu.Lock()
	defer names.mu.Unlock()
	return names.unique(c.name, rewrite(name))
}

// tRunner runs f as the test's function, and then what has to follow it.
func tRunner(t *T, f func(*T)) {
	defer t.end()
	defer func() {
		if len(t.subs) == 0 {
			t.cleanup()
		}
	}()
	f(t)
	t.status.Or(finished)
}

// end ends the test when its function has returned, exited or panicked.
func (t *T) end() {
	if panicking() {
		if len(t.subs) > 0 {
			t.cleanup()
		}
		return // the panic ends the program
	}
	if !t.has(finished) {
		if !t.exitedByParent() {
			panic(errNoReturn)
		}
		return
	}
	if len(t.subs) > 0 {
		close(t.barrier)
		for _, sub := range t.subs {
			<-sub.signal
		}
		t.cleanup()
	}
	t.complete()
	if t.signal != nil {
		t.signal <- true
	}
}

// exitedByParent deals with a test that exited because FailNow or SkipNow was
// called on a test above it: that test is to end.
func (t *T) exitedByParent() bool {
	for p := t.parent; p != nil; p = p.parent {
		if p.has(finished) {
			if t.parallel {
				return false
			}
			message := fmt.Sprintf("%v: subtest may have called FailNow on a parent test", errNoReturn)
			if p.has(failed) {
				// The failure has been reported as the parent's.
				t.log(message)
				t.mark()
			} else {
				t.fail(message)
			}
			t.complete()
			t.signal <- false
			return true
		}
	}
	return false
}

// Run runs f as a subtest, in a goroutine of its own, and waits until it is done
// or calls Parallel. It reports whether the subtest has not failed. A subtest that was not
// selected is not run.
func (t *T) Run(name string, f func(t *T)) bool {
	if t.bubbled {
		panic("testing: t.Run called inside synctest bubble")
	}
	if t.inCleanup() {
		panic("testing: t.Run called during t.Cleanup")
	}
	name = t.subName(t.names, name)
	if !selected(name) {
		return true
	}
	sub := t.newSub(name, t.names)
	// The goroutine is started and awaited here and not in a function of its own, since a
	// program can see where that happens.
	go tRunner(sub, f)
	reportSubtest(name)
	if !<-sub.signal {
		// FailNow or SkipNow was called on this test, or on one above it.
		runtime.Goexit()
	}
	if sub.parallel {
		t.subs = append(t.subs, sub)
	}
	return !sub.has(failed)
}

// newSub returns a test below t. The argument names keeps the names of its subtests apart.
func (t *T) newSub(name string, names *matcher) *T {
	return &T{
		common:  common{name: name, parent: &t.common},
		names:   names,
		above:   t,
		signal:  make(chan bool, 1),
		barrier: make(chan bool),
	}
}

// Parallel lets the test run at the same time as other parallel ones, once the
// test above has returned. A target that is one test has none beside it.
func (t *T) Parallel() {
	if t.bubbled {
		panic("testing: t.Parallel called inside synctest bubble")
	}
	if t.parallel {
		panic("testing: t.Parallel called multiple times")
	}
	if t.serial {
		panic(parallelConflict)
	}
	t.parallel = true
	if t.above == nil {
		return
	}
	if t.above.above == nil {
		reportParallel()
	}
	t.signal <- true
	<-t.above.barrier
}

const parallelConflict = `testing: test using t.Setenv, t.Chdir, or cryptotest.SetGlobalRandom can not use t.Parallel`

// notParallel panics when the test or one above it is parallel, and keeps it
// from becoming so.
func (t *T) notParallel() {
	for p := t; p != nil; p = p.above {
		if p.parallel {
			panic(parallelConflict)
		}
	}
	t.serial = true
}

// Setenv sets an environment variable until the test is done.
func (t *T) Setenv(key, value string) {
	t.notParallel()
	t.common.Setenv(key, value)
}

// Chdir changes the working directory until the test is done.
func (t *T) Chdir(dir string) {
	t.notParallel()
	t.common.Chdir(dir)
}

// binaryDeadline is when go test ends the test binary, 10 minutes after its start by
// default.
var binaryDeadline = time.Now().Add(10 * time.Minute)

// Deadline returns when go test would end the test binary. The machine does not.
func (t *T) Deadline() (deadline time.Time, ok bool) {
	if t.bubbled {
		panic("testing: t.Deadline called inside synctest bubble")
	}
	return binaryDeadline, true
}

// testingSynctestTest is what synctest.Test runs in its bubble: f, with a T of the
// bubble. It reports whether f has not failed.
func testingSynctestTest(t *T, f func(*T)) bool {
	if t.inCleanup() {
		panic("testing: synctest.Run called during t.Cleanup")
	}
	bubble := &T{
		common:  common{name: t.name, parent: &t.common},
		signal:  make(chan bool, 1),
		barrier: make(chan bool),
		above:   t,
		bubbled: true,
	}
	go tRunner(bubble, f)
	if !<-bubble.signal {
		runtime.Goexit()
	}
	return !bubble.has(failed)
}
