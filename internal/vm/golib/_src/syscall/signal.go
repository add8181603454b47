package syscall

import "sync"

// choose returns a number below n: a decision of the run.
func choose(n int) int

// fromOutside returns how many signals come from outside, at most.
func fromOutside() int

// A signalSet is a set of signals, by number.
type signalSet uint64

const lastSignal = 64

func (s signalSet) has(sig uint32) bool { return s>>(sig-1)&1 != 0 }
func (s *signalSet) add(sig uint32)     { *s |= 1 << (sig - 1) }
func (s *signalSet) remove(sig uint32)  { *s &^= 1 << (sig - 1) }

// inbox is what package os/signal has asked for, and what is on its way to it.
//
// Natively a goroutine of package os/signal waits for signals for ever. Here there is one
// while a signal is on its way, so that none is left over when a program is judged.
var inbox struct {
	mu              sync.Mutex
	wanted, ignored signalSet
	pending         signalSet
	delivering      bool // a goroutine delivers those that are pending
	awaiting        bool // a goroutine waits for one from outside
	came            int  // from outside
	idle            sync.Cond
	process         func(Signal) // of package os/signal
}

// raise sends the program a signal.
func raise(sig Signal) Errno {
	if sig == 0 {
		return 0
	}
	if sig < 0 || sig > lastSignal {
		return EINVAL
	}
	s := &inbox
	s.mu.Lock()
	defer s.mu.Unlock()
	n := uint32(sig)
	switch {
	case s.wanted.has(n) && sig != SIGKILL && sig != SIGSTOP:
		s.pending.add(n) // one that is pending already is not sent twice
		if !s.delivering {
			s.delivering = true
			go deliver()
		}
	case !s.ignored.has(n) || sig == SIGKILL || sig == SIGSTOP:
		takeDefault(sig)
	}
	return 0
}

// takeDefault does what the Go runtime does with a signal that the program has not asked for.
func takeDefault(sig Signal) {
	switch sig {
	case SIGHUP, SIGINT, SIGTERM, SIGKILL:
		writeOutput([]byte("signal: " + sig.String() + "\n"))
		Exit(128 + int(sig)) // as shells tell it
	case SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSTKFLT, SIGSYS:
		writeOutput([]byte("signal: " + sig.String() + "\n"))
		Exit(2)
	case SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU:
		unsupported(SYS_KILL) // it would stop until another process continues it
	}
}

// deliver delivers the signals that are pending, those with low numbers first.
func deliver() {
	s := &inbox
	s.mu.Lock()
	for s.pending != 0 {
		sig := uint32(1)
		for !s.pending.has(sig) {
			sig++
		}
		s.pending.remove(sig)
		s.mu.Unlock()
		s.process(Signal(sig))
		s.mu.Lock()
	}
	s.delivering = false
	s.idle.Broadcast()
	s.mu.Unlock()
}

// await delivers signals from outside until no more are to come, or none is wanted. Which
// of those that are wanted comes next, or that none comes, is a decision of the run.
func await() {
	s := &inbox
	for {
		s.mu.Lock()
		var wanted []Signal
		for sig := uint32(1); sig <= lastSignal; sig++ {
			if s.wanted.has(sig) && sig != uint32(SIGKILL) && sig != uint32(SIGSTOP) {
				wanted = append(wanted, Signal(sig))
			}
		}
		if len(wanted) == 0 || s.came >= fromOutside() {
			s.awaiting = false
			s.mu.Unlock()
			return
		}
		i := choose(len(wanted) + 1)
		if i == 0 { // no signal comes any more
			s.came = fromOutside()
		} else {
			s.came++
		}
		s.mu.Unlock()
		if i > 0 {
			s.process(wanted[i-1])
		}
	}
}

// enableSignal is called by package os/signal when it wants a signal.
func enableSignal(sig uint32, process func(Signal)) {
	if sig == 0 || sig > lastSignal {
		return
	}
	s := &inbox
	s.mu.Lock()
	if s.process == nil {
		s.process, s.idle.L = process, &s.mu
	}
	s.wanted.add(sig)
	s.ignored.remove(sig)
	if fromOutside() > s.came && !s.awaiting {
		s.awaiting = true
		go await()
	}
	s.mu.Unlock()
}

// disableSignal is called by package os/signal when it does not want a signal any more, or
// wants it to be ignored. A signal that was ignored stays so, as natively.
func disableSignal(sig uint32, ignore bool) {
	if sig == 0 || sig > lastSignal {
		return
	}
	s := &inbox
	s.mu.Lock()
	s.wanted.remove(sig)
	if ignore {
		s.ignored.add(sig)
	}
	s.mu.Unlock()
}

// signalIgnored reports whether a signal is ignored.
func signalIgnored(sig uint32) bool {
	s := &inbox
	s.mu.Lock()
	defer s.mu.Unlock()
	return sig != 0 && sig <= lastSignal && s.ignored.has(sig)
}

// awaitDelivered waits until the signals that were sent have been delivered.
func awaitDelivered() {
	s := &inbox
	s.mu.Lock()
	for s.delivering {
		s.idle.Wait()
	}
	s.mu.Unlock()
}
