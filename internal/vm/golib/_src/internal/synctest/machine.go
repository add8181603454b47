package synctest

// A bubble is what the machine knows of a bubble.
type bubble struct {
	now     int64 // its time
	waiting bool  // a goroutine is in Wait
	done    bool  // the function given to Run has ended
}

// enter makes the goroutine the root of b, until leave. Goroutines that it starts
// are in b too.
func enter(b *bubble)
func leave()

// end says that the function given to Run has ended.
func end()

// idle waits until all other goroutines of the bubble are durably blocked and moves
// its time to when something is due next. It says whether the bubble goes on.
func idle() int

// What idle says.
const (
	goesOn  = iota
	over    // all goroutines have ended
	stuck   // none can go on
	remains // none can go on, and the function given to Run has ended
)

// asyncTimers reports whether GODEBUG sets that channels of timers are those before Go 1.23.
func asyncTimers() bool

// arrive begins to wait for what wait waits for: that all other goroutines of the
// bubble are durably blocked. It is false when another goroutine does already.
func arrive() bool
func wait()

// A deadlockError is the panic of a bubble that does not end.
type deadlockError string

func (e deadlockError) Error() string { return string(e) }

// Run runs f in a new bubble and returns when all goroutines of the bubble have ended.
func Run(f func()) {
	if IsInBubble() {
		panic("synctest.Run called from within a synctest bubble")
	}
	if asyncTimers() {
		panic("synctest.Run not supported with asynctimerchan!=0")
	}
	enter(new(bubble))
	defer leave()
	go func() {
		defer end()
		f()
	}()
	for {
		switch idle() {
		case over:
			return
		case stuck:
			panic(deadlockError("deadlock: all goroutines in bubble are blocked"))
		case remains:
			panic(deadlockError("deadlock: main bubble goroutine has exited but blocked goroutines remain"))
		}
	}
}

// Wait waits until all other goroutines of the bubble are durably blocked.
func Wait() {
	if !IsInBubble() {
		panic("goroutine is not in a bubble")
	}
	if !arrive() {
		panic("wait already in progress")
	}
	wait()
}
