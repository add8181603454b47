package contexts

import (
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/oracle/suite"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// closingPrograms have goroutines that close channels: in the names of those of which it is known
// that the channel is open there is Owns. No two structs have the same fields, as values of such
// structs may be converted.
const closingPrograms = `
package closing

import (
	"runtime"
	"sync"
	"testing"
	"time"
)

func TestTimerToo(t *testing.T) {
	c := make(chan int)
	f := func() {
		defer func() { recover() }()
		runtime.Gosched()
		close(c)
	}
	time.AfterFunc(1, f)
	f()
	runtime.Gosched()
}

func TestOwnsDeferred(t *testing.T) {
	done := make(chan int, 1)
	go func() {
		defer close(done)
		runtime.Gosched()
		done <- 1
	}()
	<-done
	<-done
}

func TestOwnsInLoop(t *testing.T) {
	for i := range 2 {
		done := make(chan int)
		go func() {
			runtime.Gosched()
			if i < 2 {
				runtime.Gosched()
			}
			close(done)
			runtime.Gosched()
		}()
		<-done
	}
}

func TestOwnsParameter(t *testing.T) {
	for range 2 {
		done := make(chan int)
		go finishes(done)
		runtime.Gosched()
		<-done
	}
}

func finishes(c chan int) {
	defer func() {
		runtime.Gosched()
		close(c)
	}()
	runtime.Gosched()
}

func TestOwnsItself(t *testing.T) {
	for i := range 2 {
		makesOne(i)
	}
}

func makesOne(n int) {
	c := make(chan int, 1)
	go func() {
		for range c {
			runtime.Gosched()
		}
	}()
	c <- n
	runtime.Gosched()
	close(c)
	runtime.Gosched()
}

type worker struct {
	n    int
	done chan int
	stop chan int
}

func newWorker(n int) *worker { return &worker{n: n, done: make(chan int), stop: make(chan int)} }

func (w *worker) run() {
	defer close(w.done)
	runtime.Gosched()
	for range w.n {
		runtime.Gosched()
	}
}

func (w *worker) end() {
	runtime.Gosched()
	close(w.stop)
	runtime.Gosched()
}

func TestOwnsInStruct(t *testing.T) {
	for i := range 2 {
		w := newWorker(i)
		go w.run()
		runtime.Gosched()
		w.end()
		<-w.done
	}
}

func TestOwnsInStructs(t *testing.T) {
	v, w := newWorker(1), newWorker(0)
	go v.run()
	defer v.end()
	runtime.Gosched()
	go w.run()
	w.end()
	<-v.done
}

type starter struct {
	n    int
	done chan int
}

func start(n int) *starter {
	s := &starter{n: n}
	s.done = make(chan int)
	go s.run()
	runtime.Gosched()
	return s
}

func (s *starter) run() {
	runtime.Gosched()
	s.n++
	func() { runtime.Gosched() }()
	close(s.done)
}

func TestOwnsStarted(t *testing.T) {
	v, w := start(1), start(2)
	<-v.done
	<-w.done
}

type ended struct{ stop chan int }

func newEnded() *ended { return &ended{make(chan int)} }

func (e *ended) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(e.stop)
}

func TestEndedTwice(t *testing.T) {
	e := newEnded()
	e.end()
	runtime.Gosched()
	e.end()
}

type restarted struct{ stop chan int }

func restart() *restarted {
	r := &restarted{}
	r.stop = make(chan int)
	go r.end()
	return r
}

func (r *restarted) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(r.stop)
}

func TestStartedByBoth(t *testing.T) {
	r := restart()
	runtime.Gosched()
	r.end()
	runtime.Gosched()
}

type sharing struct{ stop chan int }

func (s *sharing) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(s.stop)
}

func TestOneOfTwoStructs(t *testing.T) {
	c := make(chan int)
	v, w := &sharing{c}, &sharing{c}
	v.end()
	runtime.Gosched()
	w.end()
}

type copied struct {
	stop chan int
	name string
}

func newCopied() *copied { return &copied{stop: make(chan int)} }

func (c *copied) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(c.stop)
}

func TestCopied(t *testing.T) {
	v, w := newCopied(), newCopied()
	*w = *v
	v.end()
	runtime.Gosched()
	w.end()
}

type replaced struct{ stop chan int }

func newReplaced() *replaced { return &replaced{make(chan int)} }

func (r *replaced) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(r.stop)
}

func TestReplaced(t *testing.T) {
	v, w := newReplaced(), newReplaced()
	w.stop = v.stop
	v.end()
	runtime.Gosched()
	w.end()
}

type again struct{ stop chan int }

func newAgain() *again { return &again{make(chan int)} }

func (a *again) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(a.stop)
}

func TestEndedInLoop(t *testing.T) {
	a := newAgain()
	for range 2 {
		a.end()
		runtime.Gosched()
	}
}

type late struct{ stop chan int }

func (l *late) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(l.stop)
}

type closed struct{ stop chan int }

func newClosed() *closed { return &closed{make(chan int)} }

func (c *closed) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(c.stop)
	runtime.Gosched()
}

func TestClosedByOther(t *testing.T) {
	c := newClosed()
	close(c.stop)
	runtime.Gosched()
	c.end()
}

func TestMadeTooLate(t *testing.T) {
	l := &late{}
	l.end()
	l.stop = make(chan int)
	runtime.Gosched()
}

type absent struct{ stop chan int }

func newAbsent(n int) *absent {
	if n == 0 {
		return nil
	}
	return &absent{make(chan int)}
}

func (a *absent) end() {
	runtime.Gosched()
	if a != nil {
		close(a.stop)
	}
}

func TestOwnsUnlessNil(t *testing.T) {
	for n := range 2 {
		a := newAbsent(n)
		go a.end()
		runtime.Gosched()
	}
}

type partial struct{ stop chan int }

func newPartial(n int) (*partial, error) {
	p := &partial{}
	if n == 0 {
		return p, nil
	}
	p.stop = make(chan int)
	return p, nil
}

func (p *partial) end() {
	defer func() { recover() }()
	runtime.Gosched()
	close(p.stop)
}

func TestWithoutChannel(t *testing.T) {
	for n := range 2 {
		p, _ := newPartial(n)
		go p.end()
		runtime.Gosched()
	}
}

func TestOwnsCaptured(t *testing.T) {
	for i := range 2 {
		w := newCaptured(i)
		go func() {
			runtime.Gosched()
			if w.n < 2 {
				runtime.Gosched()
			}
			close(w.done)
			runtime.Gosched()
		}()
		<-w.done
	}
}

type captured struct {
	n    int
	done chan int
}

func newCaptured(n int) *captured { return &captured{n, make(chan int)} }

type capturedOnce struct{ done chan int }

func newCapturedOnce() *capturedOnce { return &capturedOnce{make(chan int)} }

func TestCapturedBefore(t *testing.T) {
	w := newCapturedOnce()
	for range 2 {
		go func() {
			defer func() { recover() }()
			runtime.Gosched()
			close(w.done)
		}()
		runtime.Gosched()
	}
	runtime.Gosched()
}

type capturedReplaced struct{ done chan int }

func newCapturedReplaced() *capturedReplaced { return &capturedReplaced{make(chan int)} }

func TestCapturedReplaced(t *testing.T) {
	w := newCapturedReplaced()
	for range 2 {
		v := newCapturedReplaced()
		go func() {
			defer func() { recover() }()
			runtime.Gosched()
			close(v.done)
		}()
		v = w
		runtime.Gosched()
	}
	runtime.Gosched()
}

type guardedByOnce struct {
	n    int
	once sync.Once
	stop chan int
}

func newGuarded(n int) *guardedByOnce { return &guardedByOnce{n: n, stop: make(chan int)} }

func (g *guardedByOnce) end() {
	runtime.Gosched()
	g.once.Do(func() {
		runtime.Gosched()
		close(g.stop)
		g.n++
		runtime.Gosched()
	})
	runtime.Gosched()
}

func TestOwnsByOnce(t *testing.T) {
	v, w := newGuarded(1), newGuarded(2)
	go v.end()
	runtime.Gosched()
	w.end()
	v.end()
	<-w.stop
}

type onceReset struct {
	reset bool
	once sync.Once
	stop chan int
}

func (o *onceReset) end() {
	defer func() { recover() }()
	runtime.Gosched()
	o.once.Do(func() { close(o.stop) })
}

func TestOnceReset(t *testing.T) {
	o := &onceReset{stop: make(chan int)}
	o.end()
	o.once = sync.Once{}
	runtime.Gosched()
	o.end()
}

type onceShared struct {
	shared bool
	once sync.Once
	stop chan int
}

func (o *onceShared) end() {
	defer func() { recover() }()
	runtime.Gosched()
	o.once.Do(func() { close(o.stop) })
}

func TestOnceShared(t *testing.T) {
	c := make(chan int)
	v, w := &onceShared{stop: c}, &onceShared{stop: c}
	v.end()
	runtime.Gosched()
	w.end()
}

type onceReplaced struct {
	replaced bool
	once sync.Once
	stop chan int
}

func (o *onceReplaced) end() {
	defer func() { recover() }()
	runtime.Gosched()
	o.once.Do(func() { close(o.stop) })
}

func TestOnceReplaced(t *testing.T) {
	v, w := &onceReplaced{stop: make(chan int)}, &onceReplaced{stop: make(chan int)}
	v.end()
	w.stop = v.stop
	runtime.Gosched()
	w.end()
}

type onceCopied struct {
	copied bool
	once sync.Once
	stop chan int
}

func (o *onceCopied) end() {
	defer func() { recover() }()
	runtime.Gosched()
	o.once.Do(func() { close(o.stop) })
}

func TestOnceCopied(t *testing.T) {
	v, w := &onceCopied{stop: make(chan int)}, &onceCopied{stop: make(chan int)}
	*w = *v
	v.end()
	runtime.Gosched()
	w.end()
}

type onceAnyway struct {
	anyway bool
	once sync.Once
	stop chan int
}

func (o *onceAnyway) end() {
	defer func() { recover() }()
	runtime.Gosched()
	o.once.Do(func() { close(o.stop) })
}

func TestOnceAnyway(t *testing.T) {
	o := &onceAnyway{stop: make(chan int)}
	close(o.stop)
	runtime.Gosched()
	o.end()
}

type onceCalled struct {
	called bool
	once sync.Once
	stop chan int
}

func (o *onceCalled) end() {
	defer func() { recover() }()
	f := func() { close(o.stop) }
	runtime.Gosched()
	f()
	runtime.Gosched()
	o.once.Do(f)
}

func TestOnceCalled(t *testing.T) {
	o := &onceCalled{stop: make(chan int)}
	go o.end()
	runtime.Gosched()
	runtime.Gosched()
}

type onceOfOther struct {
	other bool
	once sync.Once
	stop chan int
}

func (o *onceOfOther) end(other *onceOfOther) {
	defer func() { recover() }()
	runtime.Gosched()
	other.once.Do(func() { close(o.stop) })
	runtime.Gosched()
}

func TestOnceOfOther(t *testing.T) {
	v, w := &onceOfOther{stop: make(chan int)}, &onceOfOther{stop: make(chan int)}
	v.end(w)
	runtime.Gosched()
	v.end(v)
}

type onceByPointer struct {
	pointer bool
	once sync.Once
	stop chan int
}

func (o *onceByPointer) end() {
	defer func() { recover() }()
	runtime.Gosched()
	o.once.Do(func() { close(o.stop) })
}

func TestOnceByPointer(t *testing.T) {
	v, w := &onceByPointer{stop: make(chan int)}, &onceByPointer{stop: make(chan int)}
	v.end()
	p := &w.stop
	*p = v.stop
	runtime.Gosched()
	w.end()
}

func TestTwoOfOneChannel(t *testing.T) {
	done := make(chan int)
	for range 2 {
		go closesOnce(done)
		runtime.Gosched()
	}
	runtime.Gosched()
}

func closesOnce(c chan int) {
	defer func() { recover() }()
	runtime.Gosched()
	close(c)
}

func TestClosedBefore(t *testing.T) {
	for i := range 2 {
		done := make(chan int)
		if i == 0 {
			close(done)
		}
		go func() {
			defer func() { recover() }()
			runtime.Gosched()
			runtime.Gosched()
			close(done)
		}()
		runtime.Gosched()
		<-done
	}
}

func TestMadeBefore(t *testing.T) {
	var made chan int
	for i := range 2 {
		if i == 0 {
			made = make(chan int)
		}
		c := made
		go func() {
			defer func() { recover() }()
			runtime.Gosched()
			close(c)
		}()
		runtime.Gosched()
	}
}

func TestCalledTwice(t *testing.T) {
	c := make(chan int)
	f := func() {
		defer func() { recover() }()
		runtime.Gosched()
		close(c)
		runtime.Gosched()
	}
	f()
	f()
}

func TestClosureBefore(t *testing.T) {
	c := make(chan int)
	f := func() {
		defer func() { recover() }()
		runtime.Gosched()
		close(c)
		runtime.Gosched()
	}
	for range 2 {
		go f()
		runtime.Gosched()
	}
}

func TestDeferredByAnother(t *testing.T) {
	c := make(chan int)
	defer twice(func() {
		defer func() { recover() }()
		runtime.Gosched()
		close(c)
	})
	runtime.Gosched()
}

func twice(f func()) {
	f()
	runtime.Gosched()
	f()
}

func TestInItsLoop(t *testing.T) {
	c := make(chan int)
	go func() {
		defer func() { recover() }()
		for range 2 {
			runtime.Gosched()
			close(c)
		}
	}()
	runtime.Gosched()
}
`

// makesChannel reports whether a function makes a channel.
func makesChannel(fn *ssa.Function) bool {
	return slices.ContainsFunc(instructions(fn), func(instr ssa.Instruction) bool {
		_, ok := instr.(*ssa.MakeChan)
		return ok && instr.Parent() == fn
	})
}

// TestClosing checks contexts of goroutines that have channels, which somebody closes.
func TestClosing(t *testing.T) {
	dir := t.TempDir()
	if err := suite.Write(dir, "closing", map[string]string{"closing_test.go": strings.TrimSpace(closingPrograms) + "\n"}); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, dir)
	f.unlocked = true
	r := rand.New(rand.NewPCG(1, 1))
	contexts, known, guarded := 0, 0, 0
	for i := range f.within {
		target := &f.within[i]
		var list []ssa.Instruction
		for _, fn := range f.calledBy(target) {
			list = append(list, instructions(fn)...)
		}
		opened := 0
		for _, at := range sample.From(list, 30, 12) {
			places := []ssa.Instruction{at}
			if other := list[r.IntN(len(list))]; !makesChannel(at.Parent()) && !makesChannel(other.Parent()) {
				places = append(places, other) // it is taken for granted that channels of the input are others than those which are made again
			}
			if !f.check(t, target, places, r, 4) {
				continue
			}
			contexts++
			c, err := initial.New(t.Context(), f.analysis, [][]ssa.Instruction{{at}}, initial.Options{Variables: f.variables})
			if err != nil {
				t.Fatal(err)
			}
			opened += len(c.Open[0])
			for _, g := range c.Guarded {
				if name := g.Struct.(*types.Named).Obj().Name(); name != "guardedByOnce" {
					t.Errorf("%s: the channel of %s is said to be open as long as nothing has been done once", target.Name, name)
				}
				guarded++
			}
		}
		known += opened
		if owns := strings.Contains(target.Name, "Owns"); !owns && opened > 0 || owns && opened == 0 {
			t.Errorf("%s: %d channels are known to be open", target.Name, opened)
		}
	}
	f.report(t, contexts)
	t.Logf("%d channels are known to be open; %d contexts know of one that is as long as nothing has been done once", known, guarded)
	if guarded == 0 || guarded == contexts {
		t.Errorf("%d of %d contexts know of a channel that is open as long as nothing has been done once", guarded, contexts)
	}
}
