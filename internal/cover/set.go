package cover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/schedule"
)

// Version is that of the text of a set.
const Version = 10

// A Set is what is known of the schedules of a program.
type Set struct {
	Program string   // import path of the package, whose function main it is about
	Code    string   // hash of what the program can reach, lines included
	Options []string // that change what the set is, as on the command line: "-unroll=3"
	// Processors is how many processors the program has, 0 if that is not known.
	Processors int
	Flags      Flags
	Markers    []Marker
	// Decisions are branches that are decided by what is no input: the outcome of each is an input
	// of the epoch in which it is, that is known when a goroutine comes there (section 3.2.1), and
	// may be any.
	Decisions []Decision
	Notes     []string // what was taken for granted, or given up, a line each: unless there are none, the set proves nothing
	// Deferred are the positions of defer statements of what may wait for others, which it may do
	// for ever if the program panics: unless there are none, the set proves nothing of a program
	// that may panic.
	Deferred []string
	Epochs   []*Epoch // by their numbers

	// Arena has the expressions.
	Arena *expr.Arena
}

// New returns a set without epochs.
func New() *Set { return &Set{Arena: expr.NewArena()} }

// A Marker is a place at which epochs end and begin.
type Marker struct {
	Kind MarkerKind
	// Position is that of a for statement, or of the call of a barrier, as file:line:column with
	// the file relative to the root of the module. A goroutine is at the marker of a loop whenever
	// it is about to begin the loop's body: the condition, if there is one, has been computed, and
	// the variables of a range clause are set. It is at the marker of a head whenever it is about
	// to receive, or to compute the condition.
	Position string
	Function string // in which it is, for people
}

// A Decision is a branch that something decides which is no input.
type Decision struct {
	Position string // of the branch, unlike those of others
	Function string // in which it is, for people
	Why      string // what decides it
	// Range says that the branch is whether a range loop goes on; the position is that of the for statement.
	Range bool
}

// Place returns where a decision is in the source: its position, without what tells it from others that are there.
func (d *Decision) Place() string { return strings.TrimRight(d.Position, "'") }

// A MarkerKind says what a marker is.
type MarkerKind uint8

// The kinds of markers.
const (
	AtLoop    MarkerKind = iota // the entry of a loop
	AtBarrier                   // the call of a function that is a barrier of the program
	AtHead                      // of a loop with a body without statements
)

var markerWords = []string{AtLoop: "loop", AtBarrier: "barrier", AtHead: "head"}

// String returns the word for k in the text of a set.
func (k MarkerKind) String() string { return word(markerWords, k) }

// An Epoch is a part of a run: from a state in which each goroutine is at a marker, blocked or at
// its beginning, to the next such one. It is named by its goroutines (section 3.2.2).
type Epoch struct {
	// Goroutines are sorted, so that they are a multiset of places: which of the program's goroutines
	// is which does not matter (section 3.4.1.3), and those with equal places are exchangeable, except that
	// conditions tell them apart. A goroutine of an epoch is named by its index.
	Goroutines []Start
	// Begin says in which states the epoch begins; nil at the entry of the program.
	Begin *Beginning
	// Inputs are those that conditions are about.
	Inputs    []Input
	Schedules []*Schedule
	// Open says why there may be inputs for which no schedule is known, a line each. It is empty
	// if the schedules cover all inputs.
	Open []string
	// Ready says that the epoch has been searched: its schedules do not change any more.
	Ready bool
}

// A Beginning says in which states an epoch begins. They are at least those in which schedules of
// the set end that lead to it: all that is said of them holds at the end of each, as it holds in
// the beginning of the epochs that these are of (rely-guarantee, section 3.8.1.3). Epochs whose
// goroutines are at the same places can begin in states of different shapes; they are different
// epochs of the set.
type Beginning struct {
	// Shape stands for what is the same in all of the states apart from numbers: how locks, channels and
	// the like are, and where pointers lead.
	Shape string
	// From is the epoch whose schedules led there first, and Via has its inputs that did.
	From int
	Via  map[string]uint64
	// Alive says that the run was kept from ending the process early.
	Alive bool
	// Cells are the numbers in the states that may decide what synchronises.
	Cells []Input
	// States have the values of the cells in some of the states. What is not in common to these, or
	// what Where does not say, can be anything.
	States [][]uint64
	// Where has conditions that hold in all of the states. They are about the cells that are
	// inputs; others are equal to one of these, or constant.
	Where []expr.ID
}

// A Start is where a goroutine begins an epoch.
type Start struct {
	Kind PlaceKind // Entry, Marked or Blocked
	// Stack has the position at which the goroutine is, and those of the calls that have led there,
	// innermost first. Of a call it is that of the opening parenthesis, of a go statement that of
	// the keyword. It is empty at the entry of the program.
	Stack []string
}

// A PlaceKind says how a goroutine is at a place.
type PlaceKind uint8

// The kinds of places.
const (
	Entry   PlaceKind = iota // at the beginning of function main
	Marked                   // at a marker
	Blocked                  // about to do an operation that waits
	Ended                    // it has returned
)

var placeWords = []string{Entry: "entry", Marked: "marker", Blocked: "blocked", Ended: "ended"}

// String returns the word for k in the text of a set.
func (k PlaceKind) String() string { return word(placeWords, k) }

// An Input is a variable of conditions.
type Input struct {
	Name  string // as the variable is named in expressions
	Width uint8
	Type  string // as Go writes it, empty if that is not known
	Root  Root
	// Ranged says that package sym draws a number that is at most Size above Low. Another one that
	// is given stands for Low and its distance from that, modulo how many there are.
	Ranged    bool
	Low, Size uint64
	// Steps lead from the root to the value.
	Steps []Step
}

// A Root is where the value of an input is found when its epoch begins.
type Root struct {
	Kind RootKind
	// Name is that of an input of package sym, as EVERYWAY_INPUT has it, that of a variable, or of a package
	// variable with the import path before it.
	Name string
	// Of what a frame has: the goroutine of the epoch, the frame, 0 for the innermost one, and a position: that of a
	// variable's declaration, that at which the expression begins, or that at which what a loop ranges over begins.
	Goroutine, Frame int
	Position         string
	// Time is how often the goroutine has come to a Decision in the epoch before; its position is that of the decision.
	Time int
}

// InFrame reports whether the root is what a frame of a goroutine has.
func (r *Root) InFrame() bool {
	return r.Kind == Local || r.Kind == Evaluated || r.Kind == Counter
}

// A RootKind says what a root is.
type RootKind uint8

// The kinds of roots.
const (
	Unnamed   RootKind = iota // it has no name in the source, so that no program can find it
	Sym                       // drawn by package sym
	Local                     // a variable of a function
	Global                    // a package variable
	Evaluated                 // what an expression of a function was when it was evaluated last
	Counter                   // how many iterations a loop that ranges over something has begun before the current one
	Decided                   // whether the condition of a branch holds that is a Decision: it is known when the goroutine comes there, and not when the epoch begins
)

var rootWords = []string{
	Unnamed: "unnamed", Sym: "sym", Local: "local", Global: "global", Evaluated: "expression",
	Counter: "counter", Decided: "decision",
}

// String returns the word for k in the text of a set.
func (k RootKind) String() string { return word(rootWords, k) }

// A Step leads from a value to a part of it, or to what it points to: "*", "len", ".name" of a
// field, "[3]" of an element, or "<0>" of what is received next from a channel.
type Step string

// A Schedule is a way to carry out an epoch, for some inputs.
type Schedule struct {
	// When has conjunctions of conditions, expressions of width 1: the schedule is for the inputs
	// for which all of one of them hold. One that is empty is for all inputs.
	When [][]expr.ID
	// Example has inputs, by their names, for which the schedule is. Others are zero.
	Example map[string]uint64
	// Nodes are the operations, in an order in which they can be carried out.
	Nodes []Node
	End   End
	// Conservative says that nodes come after more than what synchronises orders them with for one
	// input: it is the schedule of inputs for which operations are on different objects (section
	// 3.4.1.5), in the order that each of these has.
	Conservative bool
	// Infeasible says that it is not known whether a run comes to the epoch with such inputs, so that what the schedule
	// shows may not happen.
	Infeasible bool
	// Excluded says that no run comes to the epoch with such inputs: that follows from how other schedules end.
	Excluded bool
	// Reached has the inputs, by the names that package sym has for them, of a run from the start
	// of the program that was seen to carry out the schedule; nil if the epoch is that with which
	// the program starts.
	Reached map[string]uint64
	// Arguments are those of that run after the flags, nil if it is one with the arguments, and the
	// files, with which the schedules were searched. Those that begin with everyway.files/ are
	// files that there were in that run only: none is no file, blank an empty one, text has the
	// arguments of the search, a line each, and empty is a directory with nothing in it.
	Arguments []string
	// Races are pairs of positions at which the schedule leaves accesses unordered of which one writes.
	Races [][2]string
}

// A Node is an operation that a goroutine has completed (section 3.2: the program counter, the
// goroutine, and, by its place among those of the goroutine, the counter).
type Node struct {
	Goroutine int // of the epoch, or started in it
	Op        schedule.Op
	// Position is that of the operation in the program, outside of the standard library.
	Position string
	// After are the indices of earlier nodes of other goroutines that it waits for. Those of its own are implied.
	After []int
	// Alt is which case of a select it is, in the order of the source, -1 for the default, and 0 without a select.
	Alt int
	// Child is the goroutine that a go statement starts, numbered on after those of the epoch; -1 otherwise.
	Child int
	// From is the index of the node that a receive has its value from, or that has woken a goroutine; -1 otherwise.
	From int
	// Bypass says that the node is no operation but a marker that the goroutine passes without an
	// end of the epoch (section 3.5). Op is NoOp then.
	Bypass bool
}

// An EndKind says how a schedule ends.
type EndKind uint8

// The kinds of ends.
const (
	Exit     EndKind = iota // function main has returned
	NewEpoch                // each goroutine is at a marker, blocked or has ended, and one is at a marker
	Deadlock                // no goroutine can go on
	Early                   // the program ends before function main returns, by a panic or by os.Exit
)

var endWords = []string{Exit: "exit", NewEpoch: "epoch", Deadlock: "deadlock", Early: "early"}

// Ends reports whether the program ends.
func (k EndKind) Ends() bool { return k == Exit || k == Early }

// String returns the word for k in the text of a set.
func (k EndKind) String() string { return word(endWords, k) }

// An End is how a schedule ends.
type End struct {
	Kind  EndKind
	Epoch int // the next one's number; 0 unless Kind is NewEpoch
	// Next has, by the numbers of the goroutines, those that they have in the next epoch, -1 for
	// those that have ended; nil if there is none.
	Next []int
	// By is the number of the goroutine with which the program ends Early, -1 if it is none of
	// them: what it does next, if that is an operation, panics, and is no node.
	By int
	// Goroutines are where the goroutines are, by their numbers: those of the epoch, and those
	// started in it. Of an Exit they are not given.
	Goroutines []Start
}

// Differs returns how operations that were carried out are no beginning of a schedule, "" if they
// are one. Of a conservative one, they may be in a part of its order.
func (sc *Schedule) Differs(nodes []Node) string {
	for i := range nodes {
		did := &nodes[i]
		if i >= len(sc.Nodes) {
			return fmt.Sprintf("it goes on with %s", did)
		}
		says := &sc.Nodes[i]
		less := func() bool {
			return !slices.ContainsFunc(did.After, func(a int) bool { return !slices.Contains(says.After, a) })
		}
		if did.Operation() != says.Operation() || !slices.Equal(did.After, says.After) && !(sc.Conservative && less()) {
			return fmt.Sprintf("node %d is %s, and not %s", i, did, says)
		}
	}
	return ""
}

// Flags are those of package flag with which a program is started, such as -n=3, before all other
// arguments; none if they are not known.
type Flags []string

// ParseFlags returns the flags of a text, which are separated by spaces. Each has the form -name=value.
func ParseFlags(text string) (Flags, error) {
	list := Flags(strings.Fields(text))
	for _, f := range list {
		name, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(f, "-"), "-"), "=")
		if !ok || name == "" || name[0] == '-' || f[0] != '-' {
			return nil, fmt.Errorf("%q is not of the form -name=value", f)
		}
	}
	return list, nil
}

// String returns the flags as on the command line.
func (l Flags) String() string { return strings.Join(l, " ") }

// Deadlocks returns how many schedules of the set deadlock.
func (s *Set) Deadlocks() int {
	n := 0
	for _, e := range s.Epochs {
		for _, sc := range e.Schedules {
			if sc.End.Kind == Deadlock && !sc.Excluded {
				n++
			}
		}
	}
	return n
}

// Complete reports whether the set has a schedule for every state in which a run comes to one of
// its epochs: all were searched, and nothing was left open.
func (s *Set) Complete() bool { return s.Searched() && len(s.Notes) == 0 }

// Searched reports whether each epoch was searched, and nothing was left open in it.
func (s *Set) Searched() bool {
	if len(s.Epochs) == 0 {
		return false
	}
	for _, e := range s.Epochs {
		if !e.Ready || len(e.Open) > 0 {
			return false
		}
	}
	return true
}

// Check returns an error that says what of the set cannot be.
func (s *Set) Check() error {
	for i, e := range s.Epochs {
		if err := e.check(s.Epochs); err != nil {
			return fmt.Errorf("epoch %d: %w", i, err)
		}
	}
	return nil
}

func (e *Epoch) check(epochs []*Epoch) error {
	if b := e.Begin; b != nil {
		if b.From < 0 || b.From >= len(epochs) {
			return fmt.Errorf("there is no epoch %d that leads to it", b.From)
		}
		for _, values := range b.States {
			if len(values) != len(b.Cells) {
				return fmt.Errorf("a state has %d values of %d cells", len(values), len(b.Cells))
			}
		}
	}
	for i, sc := range e.Schedules {
		if err := sc.check(len(e.Goroutines), epochs); err != nil {
			return fmt.Errorf("schedule %d: %w", i, err)
		}
	}
	return nil
}

func (sc *Schedule) check(goroutines int, epochs []*Epoch) error {
	if len(sc.When) == 0 {
		return fmt.Errorf("it is for no input")
	}
	for i, n := range sc.Nodes {
		if n.Goroutine < 0 || n.Goroutine >= goroutines {
			return fmt.Errorf("node %d: there is no goroutine %d", i, n.Goroutine)
		}
		for _, a := range n.After {
			if a < 0 || a >= i || sc.Nodes[a].Goroutine == n.Goroutine {
				return fmt.Errorf("node %d: it cannot come after node %d", i, a)
			}
		}
		if n.From < -1 || n.From >= i {
			return fmt.Errorf("node %d: it cannot be from node %d", i, n.From)
		}
		if n.Child != -1 {
			if n.Child != goroutines || n.Op != schedule.Spawn {
				return fmt.Errorf("node %d: it cannot start goroutine %d", i, n.Child)
			}
			goroutines++
		} else if n.Op == schedule.Spawn {
			return fmt.Errorf("node %d: it starts no goroutine", i)
		}
	}
	if k := sc.End.Kind; !k.Ends() && len(sc.End.Goroutines) != goroutines {
		return fmt.Errorf("it ends with %d goroutines of %d", len(sc.End.Goroutines), goroutines)
	}
	if by := sc.End.By; by < -1 || by >= goroutines || by != 0 && sc.End.Kind != Early {
		return fmt.Errorf("there is no goroutine %d with which the program ends", by)
	}
	e := sc.End.Epoch
	switch {
	case e < 0 || e >= len(epochs) || e != 0 && sc.End.Kind != NewEpoch:
		return fmt.Errorf("there is no epoch %d to end in", e)
	case sc.End.Kind == NewEpoch:
		return sc.End.leads(epochs[e].Goroutines)
	case sc.End.Next != nil:
		return fmt.Errorf("goroutines go on, and it ends with no epoch")
	}
	return nil
}

// leads returns an error if not each goroutine of the next epoch is one that is where that one begins.
func (end *End) leads(starts []Start) error {
	if len(end.Next) != len(end.Goroutines) {
		return fmt.Errorf("it says of %d goroutines which they are in the next epoch, and there are %d", len(end.Next), len(end.Goroutines))
	}
	taken := make([]bool, len(starts))
	for i, g := range end.Goroutines {
		switch n := end.Next[i]; {
		case g.Kind == Ended && n == -1:
		case g.Kind == Ended || n < 0 || n >= len(starts) || taken[n] || g.String() != starts[n].String():
			return fmt.Errorf("goroutine %d cannot be number %d of the next epoch", i, n)
		default:
			taken[n] = true
		}
	}
	if i := slices.Index(taken, false); i >= 0 {
		return fmt.Errorf("none is goroutine %d of the next epoch", i)
	}
	return nil
}

func word[T ~uint8](words []string, k T) string {
	if int(k) >= len(words) {
		return fmt.Sprintf("%d?", uint8(k))
	}
	return words[k]
}

// File is the name of the file that has a set, in a directory of the user's.
const File = "main.cover"
