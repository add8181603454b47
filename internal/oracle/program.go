package oracle

import "fmt"

// A Program is a small concurrent program: some shared objects, and a tree of
// statements for each goroutine. Objects of a kind are named by their index.
type Program struct {
	Seed   uint64
	Mode   Mode
	Inputs []Input
	Plains int   // shared variables without protection of their own
	Atoms  int   // variables of package sync/atomic
	Locks  int   // mutexes
	RWs    int   // read-write mutexes
	Groups int   // wait groups
	Chans  []int // capacities; NilChan for a channel that is never made
	Timers int   // timers with a channel, which are stopped at first
	// Tickers is the number of timers, the last ones, that are tickers.
	Tickers int
	Nodes   []Node
	Onces   int // of package sync
	Conds   int // condition variables, of the mutexes with the same indices, or of the last mutex
	// Kept are the functions of sync.OnceFunc and sync.OnceValue: of the sync.Onces with the same
	// indices, which come first.
	Kept []Kept
	// Contexts are those of package context. Each has a channel, which are the last ones; see cancellation.go.
	Contexts []Context
	// Stall is by how many ticks the clock may run ahead in a busy period; see time.go.
	Stall int
	// Parks says that who is blocked at a quiescent point has come to where it waits; see
	// parked.go.
	Parks bool
	// Bubble says that the program runs in a bubble of testing/synctest; see bubble.go.
	Bubble bool
	// Init is the number of statements of Bodies[0] that an initialiser of the package does.
	Init int
	// Copies is the number of goroutines, from Bodies[1] on, that are the same and are started by one
	// go statement. They show nothing.
	Copies int
	// Fields says that the plain variables are fields of one struct.
	Fields bool
	// Alarms is the number of calls of time.AfterFunc whose timers are used: each has two of the
	// last bodies, for the calls that it makes, of which the second is a copy.
	Alarms int
	// Reused says that wait groups are waited for while others may add to them.
	Reused bool
	// Tabled says that the atomic variables are entries of a sync.Map.
	Tabled bool
	// Elements says that the plain variables are the elements of an array, of which there are a power of two.
	Elements bool
	// Logs says that goroutines write to the log of the test.
	Logs bool
	// Subtests says that the target has subtests, which are bodies; see subtests.go.
	Subtests bool
	// Pointers says that the atomic variables, and what is sent on channels, are pointers; see pointers.go.
	Pointers bool
	// Requests says that there are channels of channels; see requests.go.
	Requests bool
	// Bodies are the goroutines. Bodies[0] is run by the target itself, the
	// others by the one Spawn that names them, or when a node is collected.
	Bodies [][]Stmt
}

// Ticks reports whether a timer is a ticker.
func (p *Program) Ticks(timer int) bool { return timer >= p.Timers-p.Tickers }

// A Mode says how plain variables are used.
type Mode uint8

// The modes.
const (
	Guarded Mode = iota // each plain variable is accessed under one lock only
	Racy                // or not
)

// String returns the name of the mode.
func (m Mode) String() string {
	if m == Racy {
		return "racy"
	}
	return "guarded"
}

// NilChan is the capacity that stands for a nil channel.
const NilChan = -1

// An Input is an argument of the target.
type Input struct {
	Name string
	Type string // Go integer type
	Size int    // the values are 0 … Size-1
}

// A Stmt is a statement. Which fields are used depends on Op.
type Stmt struct {
	Op   StmtOp
	ID   int  // position in the program, see Number
	Obj  int  // the object: variable, lock, channel, wait group; the body to Spawn
	Dst  int  // local variable that takes the result
	X, Y Expr // operands
	Rel  Rel  // If: X Rel Y
	Show bool // the result in Dst is printed, so that it is part of the outcome
	// Unread is set on an Add, or a LoadAndDelete, that has no Dst.
	Unread bool
	// Implied is set on a statement that is part of another one, and not written: what WaitGroup.Go
	// does beside the Spawn.
	Implied bool
	// Twice is set on an If whose sides begin with the same: Else with what Then is, with the same IDs.
	Twice bool
	Then  []Stmt
	Else  []Stmt
	Case  []Case
	// Default is set on a Select that has a default case.
	Default bool
	Loop    int // Range: the number of the loop's body in package maploop, from 1; see maps.go
}

// A StmtOp says what a statement does.
type StmtOp uint8

// The statements.
const (
	Get              StmtOp = iota // Dst = plain variable
	Set                            // plain variable = X
	Load                           // Dst = atomic variable
	Store                          // atomic variable = X
	Add                            // Dst = atomic variable += X
	Swap                           // Dst = 1 if atomic variable == X (it is then set to Y), else 0
	Lock                           // of a mutex
	Unlock                         //
	TryLock                        // Dst = 1 if it locked, else 0
	RLock                          // of a read-write mutex
	RUnlock                        //
	WLock                          // the writer's Lock of a read-write mutex
	WUnlock                        //
	Send                           // channel <- X
	Recv                           // Dst = <-channel, Closed when it is closed and empty
	Close                          // of a channel
	Select                         // Dst = index of the case chosen, len(Case) for the default
	GroupAdd                       // wait group += X, a constant
	GroupDone                      //
	GroupWait                      //
	If                             // Then or Else
	Spawn                          // start body Obj, by WaitGroup.Go of wait group Y-1 if Y is not 0
	Note                           // nothing but showing Dst
	Panic                          //
	Error                          // t.Error: the target fails, and goes on
	Sleep                          // for X units, a constant
	After                          // start body Obj after X units, by time.AfterFunc
	Reset                          // of a timer, to X units; Dst = 1 if it was active, else 0
	Stop                           // of a timer; likewise
	Fired                          // wait for a timer
	Now                            // the time from which Since measures
	Since                          // Dst = 1 if more than X units have passed, else 0
	Range                          // Dst = the keys that a loop over a map visits; see maps.go
	Drop                           // the holder of a node becomes nil; see collect.go
	Revive                         // and points to it again, in its finalizer
	Hold                           // Dst = 1 if the holder of a node is not nil: hold on to it during Then; else 0, and Else
	Upgrade                        // likewise with the weak pointer
	LetGo                          // of a node, at the end of a Hold, an Upgrade or a Peek
	Peek                           // Dst = 1 if the weak pointer of a node is not nil, else 0
	NodeGet                        // Dst = variable of a node
	NodeSet                        // variable of a node = X
	Cancel                         // the finalizer or cleanup of a node
	Collect                        // runtime.GC
	Settle                         // synctest.Wait
	Once                           // Then, if it is the first one
	CallOnce                       // the function of a Kept: Dst = its value, if it has one
	Leave                          // the end of what a Once does
	CondWait                       // on a condition variable
	Signal                         //
	Broadcast                      //
	Log                            // t.Log: a panic when the target is done
	LoadOrStore                    // of an entry: Dst = value, or Absent, in which case it becomes X
	LoadAndDelete                  // Dst = value of an entry, or Absent, which it becomes
	CompareAndDelete               // Dst = 1 if an entry == X (it becomes Absent), else 0
	Clear                          // all entries become Absent
	Exchange                       // Dst = atomic variable, which becomes X
	And                            // Dst = atomic variable, which becomes itself & X
	Or                             // Dst = atomic variable, which becomes itself | X
	TryRLock                       // of a read-write mutex: Dst = 1 if it locked, else 0
	TryWLock                       //
	Len                            // Dst = number of values in a channel
	Yield                          // runtime.Gosched
	Exit                           // runtime.Goexit
	While                          // Then, as long as X Rel Y
	Try                            // Then: Dst = 1 if it panics, which ends it, else 0
	Ensure                         // Then, and in any case Else after it
	GetAt                          // Dst = element X of the plain variables, modulo their number
	SetAt                          // element X = Y
	StopCall                       // of the timer of body Obj, an alarm: Dst = 1 if it was active, else 0
	ResetCall                      // to X units; likewise
	RunSub                         // body Obj as a subtest; only the target does
	Parallel                       // t.Parallel, in a subtest
	CleanUp                        // Then, when the test is done, by t.Cleanup; not in another statement
	release                        // the end of the function of the target, whose parallel subtests go on
	await                          // and of these
	NewCell                        // Mine = a new cell, with the value X
	GetCell                        // Dst = value of the cell that Ref leads to, or Absent
	SetCell                        // value of the cell that Ref leads to, if there is one, = X
	Link                           // the next cell of the one that Mine leads to, if there is one, is that of Ref
	Follow                         // Mine = the next cell of the one that Ref leads to, or nil
	Derive                         // a context
	CancelContext                  // with cause X, a constant, if it is not 0
	ErrOf                          // Dst = 0 if a context is not cancelled, 1 if it is, 2 if its time is over
	CauseOf                        // likewise, or 2 + the cause
	Withdraw                       // the function that a context is to call: Dst = 1 if it has not been called, and will not be, else 0
	Expire                         // what the timer of a context does
	crash                          // the end of a panic that is not recovered, after what has been deferred
	finish                         // the end of the target, in a program with Logs
)

// Closed is what Recv yields for a closed channel.
const Closed = -1

// Absent is the value of an entry of a sync.Map that is not there.
const Absent = -2

// A Case is a communication of a Select.
type Case struct {
	Send bool
	Chan int
	X    Expr // sent
	Dst  int  // received, Closed when the channel is closed; 1 for a timer
	// Timer is set if Chan is a timer.
	Timer bool
}

// An Expr is a constant, or a local variable or an input plus a constant.
type Expr struct {
	Kind  ExprKind
	Index int // of the local or the input
	Const int
}

// An ExprKind says what an Expr consists of.
type ExprKind uint8

// The kinds of expressions.
const (
	Const ExprKind = iota
	Local
	Arg
	Nil // 0, as a pointer
	Own // the channel of the goroutine, if Program.Requests
)

// Locals is the number of local variables of a goroutine, r0 and up. They start as 0.
const Locals = 3

// Ref is the local variable that has a channel, see requests.go, or a pointer. It comes after the others.
const Ref = Locals

// Mine is a local variable that has a pointer, as Ref does then; see pointers.go.
const Mine = Ref + 1

// slots is the number of all.
const slots = Mine + 1

// A Rel is a comparison.
type Rel uint8

// The comparisons.
const (
	Equal Rel = iota
	NotEqual
	Less
)

// String returns the Go operator.
func (r Rel) String() string { return [...]string{"==", "!=", "<"}[r] }

func (r Rel) holds(x, y int) bool {
	switch r {
	case Equal:
		return x == y
	case NotEqual:
		return x != y
	default:
		return x < y
	}
}

func (e Expr) value(locals *[slots]int, inputs []int) int {
	switch e.Kind {
	case Local:
		return locals[e.Index] + e.Const
	case Arg:
		return inputs[e.Index] + e.Const
	default:
		return e.Const
	}
}

// lockOf returns the mutex of a condition variable.
func (p *Program) lockOf(cond int) int { return min(cond, p.Locks-1) }

// Number gives every statement its ID: its place in the order of the source.
// It returns the number of statements.
func (p *Program) Number() int {
	n := 0
	var walk func([]Stmt)
	walk = func(list []Stmt) {
		for i := range list {
			list[i].ID = n
			n++
			walk(list[i].Then)
			rest := list[i].Else
			for k := 0; list[i].Twice && len(rest) > 0 && k < len(list[i].Then) && rest[0].Op == list[i].Then[k].Op; k++ {
				rest[0].ID = list[i].Then[k].ID
				rest = rest[1:]
			}
			walk(rest)
		}
	}
	for b, list := range p.Bodies {
		if p.Original(b) == b {
			walk(list)
		}
	}
	for k := range p.Kept {
		walk(p.Kept[k].Func)
	}
	return n
}

// Original returns the body of which b is a copy, b if it is of none.
func (p *Program) Original(b int) int {
	if b <= p.Copies {
		return min(b, 1)
	}
	if first := len(p.Bodies) - 2*p.Alarms; b >= first {
		return b - (b-first)%2
	}
	return b
}

// Each calls f with every statement, in the order of their IDs, and the body it is in, or NoBody for one of a Kept.
func (p *Program) Each(f func(body int, s *Stmt)) {
	var walk func(int, []Stmt)
	walk = func(b int, list []Stmt) {
		for i := range list {
			f(b, &list[i])
			walk(b, list[i].Then)
			walk(b, list[i].Else)
		}
	}
	for b := range p.Bodies {
		if p.Original(b) == b {
			walk(b, p.Bodies[b])
		}
	}
	for k := range p.Kept {
		walk(NoBody, p.Kept[k].Func)
	}
}

// NoBody stands for the body of a statement that any may do.
const NoBody = -1

// Timed reports whether time passes in the program.
func (p *Program) Timed() bool {
	timed := false
	p.Each(func(_ int, s *Stmt) { timed = timed || s.Op == Now })
	return timed
}

// Waits reports whether there are loops in the program, which may go on for ever.
func (p *Program) Waits() bool {
	waits := false
	p.Each(func(_ int, s *Stmt) { waits = waits || s.Op == While })
	return waits
}

// A Branch is a direction of an If.
type Branch struct {
	Stmt int // Stmt.ID
	Then bool
}

// String returns e.g. "7then".
func (b Branch) String() string {
	if b.Then {
		return fmt.Sprintf("%dthen", b.Stmt)
	}
	return fmt.Sprintf("%delse", b.Stmt)
}

// EachInput calls f with every combination of input values.
func (p *Program) EachInput(f func(values []int)) {
	v := make([]int, len(p.Inputs))
	for {
		f(v)
		i := 0
		for ; i < len(v); i++ {
			if v[i]++; v[i] < p.Inputs[i].Size {
				break
			}
			v[i] = 0
		}
		if i == len(v) {
			return
		}
	}
}

// failure is the message of a Panic or an Error.
func failure(s *Stmt) string { return fmt.Sprintf("at %d", s.ID) }
