package conflict

import "strings"

// A form is a way in which two goroutines synchronise. In the code of each, @ stands for
// the access, and $ for a number that makes names different.
type form struct {
	name          string
	decl          string // in the target, before the goroutines
	first, second string
	// ordered says that the accesses are ordered by happens-before in every run in
	// which both are done.
	ordered bool
	class   class
	// fixed forms are those where an access in the wrong place would be ordered too: the
	// first waits for the second before its access.
	fixed bool
}

// timed reports whether one of the goroutines waits for time to pass: what the other does
// comes first although it may not happen before.
func (f *form) timed() bool {
	return strings.Contains(f.decl+f.first+f.second, "time.")
}

// A class says how a form can be joined with others.
type class uint8

const (
	waiting     class = iota // each goroutine comes to its end if both run
	conditional              // the second may leave out its access
	section                  // the two keep each other out, in either order
)

// forms returns all forms.
func forms() []form {
	list := []form{
		// Channels.
		{name: "send, receive, unbuffered", decl: "c$ := make(chan int)", first: "@; c$ <- 1", second: "<-c$; @", ordered: true},
		{name: "send, receive, buffer of 1", decl: "c$ := make(chan int, 1)", first: "@; c$ <- 1", second: "<-c$; @", ordered: true},
		{name: "send, receive, buffer of 3", decl: "c$ := make(chan int, 3)", first: "@; c$ <- 1; c$ <- 2", second: "<-c$; @", ordered: true},
		{name: "second send, first receive", decl: "c$ := make(chan int, 2)", first: "c$ <- 1; @; c$ <- 2", second: "<-c$; @; <-c$"},
		{name: "second send, second receive", decl: "c$ := make(chan int, 1)", first: "c$ <- 1; @; c$ <- 2", second: "<-c$; <-c$; @", ordered: true},
		{name: "second send, first receive, unbuffered", decl: "c$ := make(chan int)", first: "c$ <- 1; @; c$ <- 2", second: "<-c$; @; <-c$", fixed: true},
		{name: "receive, send, unbuffered", decl: "c$ := make(chan int)", first: "@; <-c$", second: "c$ <- 1; @", ordered: true},
		{name: "receive, send, buffer of 1", decl: "c$ := make(chan int, 1)", first: "@; <-c$", second: "c$ <- 1; @"},
		{name: "receive, second send, buffer of 1", decl: "c$ := make(chan int, 1)", first: "@; <-c$", second: "c$ <- 1; c$ <- 2; @", ordered: true},
		{name: "receive, second send, buffer of 2", decl: "c$ := make(chan int, 2)", first: "@; <-c$", second: "c$ <- 1; c$ <- 2; @"},
		{name: "receive, third send, buffer of 2", decl: "c$ := make(chan int, 2)", first: "@; <-c$", second: "c$ <- 1; c$ <- 2; c$ <- 3; @", ordered: true},
		{name: "receive, send, full buffer", decl: "c$ := make(chan int, 1); c$ <- 0", first: "@; <-c$", second: "c$ <- 1; @", ordered: true},
		{name: "close, receive", decl: "c$ := make(chan int)", first: "@; close(c$)", second: "<-c$; @", ordered: true},
		{name: "close, receive, buffer", decl: "c$ := make(chan int, 2)", first: "@; c$ <- 1; close(c$)", second: "for range c$ {\n}; @", ordered: true},
		{name: "close, receive of what was there", decl: "c$ := make(chan int, 1); c$ <- 0", first: "@; close(c$)", second: "<-c$; @"},
		{name: "close, receive that is not ok", decl: "c$ := make(chan int, 1); c$ <- 0", first: "@; close(c$)", second: "for {\nif _, ok := <-c$; !ok {\nbreak\n}\n}; @", ordered: true},
		{name: "channel of channels", decl: "c$ := make(chan chan int); d$ := make(chan int)", first: "c$ <- d$; @; d$ <- 1", second: "d := <-c$; <-d; @", ordered: true, fixed: true},
		{name: "request and answer", decl: "c$ := make(chan int, 1); d$ := make(chan int, 1)", first: "<-c$; @; d$ <- 1", second: "c$ <- 1; <-d$; @", ordered: true, fixed: true},
		{name: "request without answer", decl: "c$ := make(chan int, 1); d$ := make(chan int, 1)", first: "<-c$; @; d$ <- 1", second: "c$ <- 1; @; <-d$", fixed: true},
		{name: "before the request", decl: "c$ := make(chan int, 1); d$ := make(chan int, 1)", first: "@; <-c$; d$ <- 1", second: "c$ <- 1; <-d$; @", ordered: true},
		{name: "another channel", decl: "c$ := make(chan int, 1); d$ := make(chan int, 1); d$ <- 1", first: "@; c$ <- 1", second: "<-d$; @"},
		// Select.
		{name: "select receives", decl: "c$ := make(chan int); d$ := make(chan int)", first: "@; c$ <- 1", second: "select {\ncase <-c$:\ncase <-d$:\n}; @", ordered: true},
		{name: "select receives either", decl: "c$ := make(chan int, 1); d$ := make(chan int, 1); d$ <- 1", first: "@; c$ <- 1", second: "select {\ncase <-c$:\ncase <-d$:\n}; @"},
		{name: "select receives the right one", decl: "c$ := make(chan int, 1); d$ := make(chan int, 1); d$ <- 1", first: "@; c$ <- 1", second: "select {\ncase <-c$:\n@\ncase <-d$:\n}", ordered: true, class: conditional},
		{name: "select sends", decl: "c$ := make(chan int); var n$ chan int", first: "@; select {\ncase c$ <- 1:\ncase n$ <- 1:\n}", second: "<-c$; @", ordered: true},
		{name: "two selects", decl: "c$ := make(chan int); d$ := make(chan int)", first: "@; select {\ncase c$ <- 1:\ncase <-d$:\n}", second: "select {\ncase <-c$:\ncase d$ <- 1:\n}; @", ordered: true},
		{name: "two selects, one of them buffered", decl: "c$ := make(chan int); d$ := make(chan int, 1)", first: "@; select {\ncase c$ <- 1:\ncase <-d$:\n}", second: "select {\ncase <-c$:\ncase d$ <- 1:\n}; @"},
		{name: "poll that receives", decl: "c$ := make(chan int, 1)", first: "@; c$ <- 1", second: "select {\ncase <-c$:\n@\ndefault:\n}", ordered: true, class: conditional},
		{name: "poll that may receive", decl: "c$ := make(chan int, 1)", first: "@; c$ <- 1", second: "select {\ncase <-c$:\ndefault:\n}; @"},
		{name: "poll that finds it closed", decl: "c$ := make(chan int)", first: "@; close(c$)", second: "select {\ncase <-c$:\n@\ndefault:\n}", ordered: true, class: conditional},
		{name: "poll that finds it open", decl: "c$ := make(chan int)", first: "@; close(c$)", second: "select {\ncase <-c$:\ndefault:\n@\n}", class: conditional},
		{name: "poll until it is closed", decl: "c$ := make(chan int)", first: "@; close(c$)", second: "for done := false; !done; {\nselect {\ncase <-c$:\ndone = true\ndefault:\nruntime.Gosched()\n}\n}; @", ordered: true},
		{name: "poll that sends", decl: "c$ := make(chan int, 1)", first: "select {\ncase c$ <- 1:\ndefault:\n}; @", second: "<-c$; @"},
		{name: "len of a channel", decl: "c$ := make(chan int, 1)", first: "@; c$ <- 1", second: "if len(c$) == 1 {\n@\n}", class: conditional},
		// Semaphores.
		{name: "semaphore of 1", decl: "c$ := make(chan int, 1)", first: "c$ <- 1; @; <-c$", second: "c$ <- 1; @; <-c$", ordered: true, class: section},
		{name: "semaphore of 2", decl: "c$ := make(chan int, 2)", first: "c$ <- 1; @; <-c$", second: "c$ <- 1; @; <-c$", class: section},
		{name: "token", decl: "c$ := make(chan int, 1); c$ <- 1", first: "<-c$; @; c$ <- 1", second: "<-c$; @; c$ <- 1", ordered: true, class: section},
		{name: "two tokens", decl: "c$ := make(chan int, 2); c$ <- 1; c$ <- 1", first: "<-c$; @; c$ <- 1", second: "<-c$; @; c$ <- 1", class: section},
		// Mutexes.
		{name: "mutex", decl: "var m$ sync.Mutex", first: "m$.Lock(); @; m$.Unlock()", second: "m$.Lock(); @; m$.Unlock()", ordered: true, class: section},
		{name: "mutex, deferred", decl: "var m$ sync.Mutex", first: "func() {\nm$.Lock()\ndefer m$.Unlock()\n@\n}()", second: "m$.Lock(); @; m$.Unlock()", ordered: true, class: section},
		{name: "Locker", decl: "var m$ sync.Mutex; var l$ sync.Locker = &m$", first: "l$.Lock(); @; l$.Unlock()", second: "m$.Lock(); @; m$.Unlock()", ordered: true, class: section},
		{name: "two mutexes", decl: "var m$, n$ sync.Mutex", first: "m$.Lock(); @; m$.Unlock()", second: "n$.Lock(); @; n$.Unlock()", class: section},
		{name: "mutex on one side", decl: "var m$ sync.Mutex", first: "m$.Lock(); @; m$.Unlock()", second: "@", class: section},
		{name: "mutex before and after", decl: "var m$ sync.Mutex", first: "@; m$.Lock(); m$.Unlock()", second: "m$.Lock(); m$.Unlock(); @"},
		{name: "TryLock", decl: "var m$ sync.Mutex", first: "m$.Lock(); @; m$.Unlock()", second: "if m$.TryLock() {\n@\nm$.Unlock()\n}", ordered: true, class: section},
		{name: "TryLock on both sides", decl: "var m$ sync.Mutex", first: "if m$.TryLock() {\n@\nm$.Unlock()\n}", second: "if m$.TryLock() {\n@\nm$.Unlock()\n}", ordered: true, class: section},
		{name: "TryLock that may fail", decl: "var m$ sync.Mutex", first: "m$.Lock(); @; m$.Unlock()", second: "if m$.TryLock() {\nm$.Unlock()\n} else {\n@\n}", class: section},
		{name: "mutex handed over", decl: "var m$ sync.Mutex; m$.Lock()", first: "@; m$.Unlock()", second: "m$.Lock(); @; m$.Unlock()", ordered: true},
		{name: "mutex and flag", decl: "var m$ sync.Mutex; done$ := false", first: "@; m$.Lock(); done$ = true; m$.Unlock()", second: "m$.Lock(); ok$ := done$; m$.Unlock(); if ok$ {\n@\n}", ordered: true, class: conditional},
		{name: "mutex and flag that is not looked at", decl: "var m$ sync.Mutex; done$ := false", first: "@; m$.Lock(); done$ = true; m$.Unlock()", second: "m$.Lock(); ok$ := done$; m$.Unlock(); if !ok$ {\n@\n}", class: conditional},
		{name: "RWMutex, writer and reader", decl: "var m$ sync.RWMutex", first: "m$.Lock(); @; m$.Unlock()", second: "m$.RLock(); @; m$.RUnlock()", ordered: true, class: section},
		{name: "RWMutex, reader and writer", decl: "var m$ sync.RWMutex", first: "m$.RLock(); @; m$.RUnlock()", second: "m$.Lock(); @; m$.Unlock()", ordered: true, class: section},
		{name: "RWMutex, two writers", decl: "var m$ sync.RWMutex", first: "m$.Lock(); @; m$.Unlock()", second: "m$.Lock(); @; m$.Unlock()", ordered: true, class: section},
		{name: "RWMutex, two readers", decl: "var m$ sync.RWMutex", first: "m$.RLock(); @; m$.RUnlock()", second: "m$.RLock(); @; m$.RUnlock()", class: section},
		{name: "RLocker", decl: "var m$ sync.RWMutex", first: "m$.RLocker().Lock(); @; m$.RLocker().Unlock()", second: "m$.Lock(); @; m$.Unlock()", ordered: true, class: section},
		{name: "TryRLock", decl: "var m$ sync.RWMutex", first: "m$.Lock(); @; m$.Unlock()", second: "if m$.TryRLock() {\n@\nm$.RUnlock()\n}", ordered: true, class: section},
		{name: "RWMutex handed over by a reader", decl: "var m$ sync.RWMutex; m$.RLock()", first: "@; m$.RUnlock()", second: "m$.Lock(); @; m$.Unlock()", ordered: true},
		{name: "RWMutex handed over by a writer", decl: "var m$ sync.RWMutex; m$.Lock()", first: "@; m$.Unlock()", second: "m$.RLock(); @; m$.RUnlock()", ordered: true},
		{name: "RWMutex, readers before and after", decl: "var m$ sync.RWMutex", first: "@; m$.RLock(); m$.RUnlock()", second: "m$.RLock(); m$.RUnlock(); @"},
		// Condition variables.
		{name: "Broadcast", decl: "var m$ sync.Mutex; w$ := sync.NewCond(&m$); done$ := false", first: "@; m$.Lock(); done$ = true; m$.Unlock(); w$.Broadcast()", second: "m$.Lock(); for !done$ {\nw$.Wait()\n}; m$.Unlock(); @", ordered: true},
		{name: "Signal", decl: "var m$ sync.Mutex; w$ := sync.NewCond(&m$); done$ := false", first: "m$.Lock(); @; done$ = true; w$.Signal(); m$.Unlock()", second: "m$.Lock(); for !done$ {\nw$.Wait()\n}; m$.Unlock(); @", ordered: true},
		{name: "Cond of a read lock", decl: "var m$ sync.RWMutex; w$ := sync.NewCond(m$.RLocker()); done$ := false", first: "@; m$.Lock(); done$ = true; m$.Unlock(); w$.Broadcast()", second: "m$.RLock(); for !done$ {\nw$.Wait()\n}; m$.RUnlock(); @", ordered: true},
		// Wait groups, and what is like them.
		{name: "WaitGroup", decl: "var g$ sync.WaitGroup; g$.Add(1)", first: "@; g$.Done()", second: "g$.Wait(); @", ordered: true},
		{name: "WaitGroup of two", decl: "var g$ sync.WaitGroup; g$.Add(2)", first: "g$.Done(); @; g$.Add(-1)", second: "g$.Wait(); @", ordered: true},
		{name: "WaitGroup, one early", decl: "var g$ sync.WaitGroup; g$.Add(1)", first: "g$.Done(); @", second: "g$.Wait(); @"},
		{name: "WaitGroup of nobody", decl: "var g$ sync.WaitGroup", first: "@", second: "g$.Wait(); @"},
		{name: "WaitGroup.Go", decl: "var g$ sync.WaitGroup; g$.Add(1)", first: "g$.Go(func() {\n@\n}); g$.Done()", second: "g$.Wait(); @", ordered: true},
		{name: "group of functions that may fail", decl: "var g$ group; g$.wait.Add(1)", first: "g$.Go(func() error {\n@\nreturn nil\n}); g$.wait.Done()", second: "g$.Wait(); @", ordered: true},
		{name: "group that has failed", decl: "var g$ group; g$.wait.Add(1)", first: "g$.Go(func() error {\n@\nreturn errors.New(\"no\")\n}); g$.wait.Done()", second: "if g$.Wait() != nil {\n@\n}", ordered: true},
		// Goroutines.
		{name: "a goroutine that closes", decl: "c$ := make(chan int)", first: "@; go func() {\nclose(c$)\n}()", second: "<-c$; @", ordered: true},
		{name: "a goroutine that accesses and closes", decl: "c$ := make(chan int)", first: "go func() {\n@\nclose(c$)\n}()", second: "<-c$; @", ordered: true},
		{name: "a goroutine beside one that closes", decl: "c$ := make(chan int)", first: "go func() {\nclose(c$)\n}(); @", second: "<-c$; @"},
		{name: "Gosched", first: "@; runtime.Gosched()", second: "runtime.Gosched(); @"},
		{name: "nothing", first: "@", second: "@"},
		// Once.
		{name: "Once of both", decl: "var o$ sync.Once", first: "o$.Do(func() {\n@\n})", second: "o$.Do(func() {\n@\n})", ordered: true, class: section, fixed: true},
		{name: "Once of the first", decl: "var o$ sync.Once", first: "o$.Do(func() {\n@\n})", second: "o$.Do(func() {}); @", ordered: true, class: section},
		{name: "Once before and after", decl: "var o$ sync.Once", first: "@; o$.Do(func() {})", second: "o$.Do(func() {}); @"},
		{name: "Once that waits", decl: "var o$ sync.Once; c$ := make(chan int)", first: "@; close(c$)", second: "o$.Do(func() {\n<-c$\n}); @", ordered: true},
		{name: "OnceFunc", decl: "c$ := make(chan int); f$ := sync.OnceFunc(func() {\n<-c$\n})", first: "@; close(c$); f$()", second: "f$(); @", ordered: true},
		{name: "OnceValue", decl: "c$ := make(chan int, 1); f$ := sync.OnceValue(func() int {\nreturn <-c$\n})", first: "@; c$ <- 1; f$()", second: "use(f$()); @", ordered: true},
		{name: "OnceValues before and after", decl: "f$ := sync.OnceValues(func() (int, error) {\nreturn 1, nil\n})", first: "@; f$()", second: "f$(); @"},
		// Maps and pools.
		{name: "sync.Map, another key", decl: "var m$ sync.Map; m$.Store(2, 1)", first: "@; m$.Store(1, 1)", second: "if _, ok := m$.Load(2); ok {\n@\n}"},
		{name: "sync.Map, key that is not there", decl: "var m$ sync.Map", first: "@; m$.Store(1, 1)", second: "if _, ok := m$.Load(1); !ok {\n@\n}", class: conditional},
		{name: "sync.Map, deleted", decl: "var m$ sync.Map; m$.Store(1, 1)", first: "@; m$.Delete(1)", second: "if _, ok := m$.Load(1); !ok {\n@\n}", ordered: true, class: conditional},
		{name: "sync.Map, cleared", decl: "var m$ sync.Map; m$.Store(1, 1)", first: "@; m$.Clear()", second: "if _, ok := m$.Load(1); !ok {\n@\n}", ordered: true, class: conditional},
		{name: "Pool", decl: "var p$ sync.Pool", first: "@; p$.Put(new(int))", second: "if p$.Get() != nil {\n@\n}", ordered: true, class: conditional},
		{name: "Pool that may be empty", decl: "p$ := sync.Pool{New: func() any {\nreturn 1\n}}", first: "@; p$.Put(2)", second: "if p$.Get() == 1 {\n@\n}", class: conditional},
		// Contexts.
		{name: "cancel", decl: "ctx$, cancel$ := context.WithCancel(context.Background())", first: "@; cancel$()", second: "<-ctx$.Done(); @", ordered: true},
		{name: "cancel a parent", decl: "ctx$, cancel$ := context.WithCancel(context.Background()); sub$, stop$ := context.WithCancel(ctx$); defer stop$()", first: "@; cancel$()", second: "<-sub$.Done(); @", ordered: true},
		{name: "cancel with a cause", decl: "ctx$, cancel$ := context.WithCancelCause(context.Background())", first: "@; cancel$(errors.New(\"no\"))", second: "for context.Cause(ctx$) == nil {\nruntime.Gosched()\n}; @", ordered: true},
		{name: "Err", decl: "ctx$, cancel$ := context.WithCancel(context.Background())", first: "@; cancel$()", second: "if ctx$.Err() != nil {\n@\n}", ordered: true, class: conditional},
		{name: "Err that is nil", decl: "ctx$, cancel$ := context.WithCancel(context.Background())", first: "@; cancel$()", second: "if ctx$.Err() == nil {\n@\n}", class: conditional},
		{name: "context.AfterFunc", decl: "ctx$, cancel$ := context.WithCancel(context.Background()); c$ := make(chan int); context.AfterFunc(ctx$, func() {\nclose(c$)\n})", first: "@; cancel$()", second: "<-c$; @", ordered: true},
		{name: "context with a value", decl: "ctx$, cancel$ := context.WithCancel(context.Background()); sub$ := context.WithValue(ctx$, key{}, 1)", first: "@; cancel$()", second: "<-sub$.Done(); @", ordered: true},
		{name: "context without its cancellation", decl: "ctx$, cancel$ := context.WithCancel(context.Background()); sub$ := context.WithoutCancel(ctx$)", first: "@; cancel$()", second: "if sub$.Err() == nil {\n@\n}"},
		{name: "time-out of a context", decl: "ctx$, cancel$ := context.WithTimeout(context.Background(), time.Millisecond); defer cancel$()", first: "@", second: "<-ctx$.Done(); @"},
		// Timers.
		{name: "AfterFunc", decl: "c$ := make(chan int)", first: "@; time.AfterFunc(time.Millisecond, func() {\nclose(c$)\n})", second: "<-c$; @", ordered: true},
		{name: "access in AfterFunc", decl: "c$ := make(chan int)", first: "time.AfterFunc(time.Millisecond, func() {\n@\nclose(c$)\n})", second: "<-c$; @", ordered: true},
		{name: "access after AfterFunc", decl: "c$ := make(chan int)", first: "time.AfterFunc(time.Millisecond, func() {\nclose(c$)\n}); @", second: "<-c$; @"},
		{name: "Reset", decl: "t$ := time.NewTimer(time.Hour); t$.Stop()", first: "@; t$.Reset(time.Millisecond)", second: "<-t$.C; @", ordered: true},
		{name: "Reset, then later another", decl: "t$ := time.NewTimer(time.Hour); t$.Stop()", first: "@; t$.Reset(0)", second: "time.Sleep(time.Millisecond); t$.Reset(0); <-t$.C; @"},
		{name: "Stop, then later another", decl: "t$ := time.NewTimer(time.Hour)", first: "@; t$.Stop()", second: "time.Sleep(time.Millisecond); t$.Stop(); @"},
		{name: "timer set by the first", decl: "c$ := make(chan *time.Timer, 1)", first: "@; c$ <- time.NewTimer(time.Millisecond)", second: "<-(<-c$).C; @", ordered: true},
		{name: "Sleep", first: "@", second: "time.Sleep(time.Millisecond); @"},
		{name: "After", first: "@", second: "<-time.After(time.Millisecond); @"},
		{name: "load, then later a store", decl: "var f$ atomic.Int32", first: "@; f$.Load()", second: "time.Sleep(time.Millisecond); f$.Store(1); @"},
		{name: "store, then later another", decl: "var f$ atomic.Int32", first: "@; f$.Store(1)", second: "time.Sleep(time.Millisecond); f$.Store(2); @"},
		{name: "store, then later a load", decl: "var f$ atomic.Int32", first: "@; f$.Store(1)", second: "time.Sleep(time.Millisecond); if f$.Load() == 1 {\n@\n}", ordered: true, class: conditional},
		{name: "read lock, then later another", decl: "var m$ sync.RWMutex", first: "@; m$.RLock(); m$.RUnlock()", second: "time.Sleep(time.Millisecond); m$.RLock(); m$.RUnlock(); @"},
		{name: "send, then later a send", decl: "c$ := make(chan int, 2)", first: "@; c$ <- 1", second: "time.Sleep(time.Millisecond); c$ <- 2; @"},
		{name: "receive, then later a receive", decl: "c$ := make(chan int, 2); c$ <- 1; c$ <- 2", first: "@; <-c$", second: "time.Sleep(time.Millisecond); <-c$; @"},
		{name: "failed swap, then later a load", decl: "var f$ atomic.Int32", first: "@; f$.CompareAndSwap(7, 8)", second: "time.Sleep(time.Millisecond); f$.Load(); @"},
		{name: "Done, then later a Done", decl: "var g$ sync.WaitGroup; g$.Add(2)", first: "@; g$.Done()", second: "time.Sleep(time.Millisecond); g$.Done(); @"},
	}
	list = append(list, atomics()...)
	return append(list, mapForms()...)
}

// atomics returns forms in which the first sets a flag from 0 to 1 and the second sees it:
// every way to set one with every way to see it.
func atomics() (list []form) {
	type op struct{ name, code string }
	for _, typ := range []struct {
		decl             string
		number           bool // has Add, And and Or
		zero, one, other string
	}{
		{"var f$ atomic.Int32", true, "0", "1", "5"},
		{"var f$ atomic.Int64", true, "0", "1", "5"},
		{"var f$ atomic.Uint32", true, "0", "1", "5"},
		{"var f$ atomic.Uint64", true, "0", "1", "5"},
		{"var f$ atomic.Uintptr", true, "0", "1", "5"},
		{"var f$ atomic.Bool", false, "false", "true", "true"},
		{"var f$ atomic.Pointer[int]", false, "nil", "token", "other"},
		{"var f$ atomic.Value; f$.Store(0)", false, "0", "1", "5"},
		{"var f$ plain32", true, "0", "1", "5"},
		{"var f$ plain64", true, "0", "1", "5"},
	} {
		sets := []op{
			{"Store", "f$.Store(" + typ.one + ")"},
			{"Swap", "f$.Swap(" + typ.one + ")"},
			{"CompareAndSwap", "f$.CompareAndSwap(" + typ.zero + ", " + typ.one + ")"},
		}
		sees := []op{
			{"Load", "f$.Load() == " + typ.one},
			{"Swap", "f$.Swap(" + typ.other + ") == " + typ.one},
			{"CompareAndSwap", "f$.CompareAndSwap(" + typ.one + ", " + typ.other + ")"},
			{"failing CompareAndSwap", "!f$.CompareAndSwap(" + typ.zero + ", " + typ.zero + ")"},
		}
		if typ.number {
			sets = append(sets, op{"Add", "f$.Add(1)"}, op{"Or", "f$.Or(1)"})
			sees = append(sees, op{"Add", "f$.Add(0) == 1"}, op{"And", "f$.And(3) == 1"}, op{"Or", "f$.Or(0) == 1"})
		}
		for _, set := range sets {
			for _, see := range sees {
				name := typ.decl[len("var f$ "):] + ", " + set.name + " and " + see.name
				list = append(list, form{name: name, decl: typ.decl, first: "@; " + set.code, second: "if " + see.code + " {\n@\n}", ordered: true, class: conditional})
			}
			name := typ.decl[len("var f$ "):] + ", " + set.name
			list = append(list,
				form{name: name + " and waiting", decl: typ.decl, first: "@; " + set.code, second: "for f$.Load() != " + typ.one + " {\nruntime.Gosched()\n}; @", ordered: true},
				form{name: name + " and not seen", decl: typ.decl, first: "@; " + set.code, second: "if f$.Load() == " + typ.zero + " {\n@\n}", class: conditional},
				form{name: name + " and not looked at", decl: typ.decl, first: "@; " + set.code, second: "f$.Load(); @"})
		}
	}
	return list
}

// mapForms returns forms in which the first makes an entry of a sync.Map and the second finds
// it.
func mapForms() (list []form) {
	for _, set := range []string{"Store(1, 1)", "Swap(1, 1)", "LoadOrStore(1, 1)"} {
		for _, see := range []string{
			"_, ok := m$.Load(1); ok", "_, ok := m$.LoadOrStore(1, 2); ok", "_, ok := m$.LoadAndDelete(1); ok",
			"_, ok := m$.Swap(1, 3); ok", "m$.CompareAndSwap(1, 1, 2)", "m$.CompareAndDelete(1, 1)",
			"n := 0; func() bool {\nm$.Range(func(any, any) bool {\nn++\nreturn true\n})\nreturn n > 0\n}()",
		} {
			list = append(list, form{
				name: "sync.Map, " + set + " and " + see, decl: "var m$ sync.Map",
				first: "@; m$." + set, second: "if " + see + " {\n@\n}", ordered: true, class: conditional,
			})
		}
	}
	return list
}

// prelude is what the sources of all programs share.
const prelude = `
type key struct{}

type point struct{ a, b int }

var token, other = new(int), new(int)

var global int

//go:noinline
func use[T any](v T) {}

// A group is like that of golang.org/x/sync/errgroup.
type group struct {
	wait sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.wait.Add(1)
	go func() {
		defer g.wait.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error {
	g.wait.Wait()
	return g.err
}

// plain32 and plain64 are numbers that the functions of sync/atomic change.
type plain32 int32

func (p *plain32) ptr() *int32                        { return (*int32)(p) }
func (p *plain32) Load() int32                        { return atomic.LoadInt32(p.ptr()) }
func (p *plain32) Store(v int32)                      { atomic.StoreInt32(p.ptr(), v) }
func (p *plain32) Add(v int32) int32                  { return atomic.AddInt32(p.ptr(), v) }
func (p *plain32) And(v int32) int32                  { return atomic.AndInt32(p.ptr(), v) }
func (p *plain32) Or(v int32) int32                   { return atomic.OrInt32(p.ptr(), v) }
func (p *plain32) Swap(v int32) int32                 { return atomic.SwapInt32(p.ptr(), v) }
func (p *plain32) CompareAndSwap(v, w int32) bool     { return atomic.CompareAndSwapInt32(p.ptr(), v, w) }

type plain64 uint64

func (p *plain64) ptr() *uint64                       { return (*uint64)(p) }
func (p *plain64) Load() uint64                       { return atomic.LoadUint64(p.ptr()) }
func (p *plain64) Store(v uint64)                     { atomic.StoreUint64(p.ptr(), v) }
func (p *plain64) Add(v uint64) uint64                { return atomic.AddUint64(p.ptr(), v) }
func (p *plain64) And(v uint64) uint64                { return atomic.AndUint64(p.ptr(), v) }
func (p *plain64) Or(v uint64) uint64                 { return atomic.OrUint64(p.ptr(), v) }
func (p *plain64) Swap(v uint64) uint64               { return atomic.SwapUint64(p.ptr(), v) }
func (p *plain64) CompareAndSwap(v, w uint64) bool    { return atomic.CompareAndSwapUint64(p.ptr(), v, w) }

var (
	_ = errors.New
	_ = runtime.Gosched
	_ context.Context
	_ atomic.Bool
	_ time.Duration
)
`
