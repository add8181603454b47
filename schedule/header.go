package schedule

import (
	"cmp"
	"iter"
	"strconv"
	"strings"
	"time"
)

// A Header says what was run and how to run it again.
type Header struct {
	Version int      `json:"everyway"`         // of the file that it was read from; Version of a new one
	Tool    string   `json:"tool,omitempty"`   // that recorded the run
	Build   string   `json:"build"`            // hash of sources, models, toolchain and GOARCH: names and sites hold for this build only
	Dir     string   `json:"dir"`              // directory of the package, relative to the module's root; absolute if it is not below that
	Package string   `json:"package"`          // import path
	Binary  string   `json:"binary,omitempty"` // of an external test package: import path of the package that it tests
	Files   []string `json:"files,omitempty"`  // of a package that was named by its files: these, relative to the module's root
	Target  string   `json:"target"`           // TestX, FuzzX, ExampleX, main, a function or method, or TestX+TestY
	Kind    string   `json:"kind"`             // test, fuzz test, example, benchmark, main, function or parallel tests
	Options Options  `json:"options,omitzero"` // settings of the machine that the run depends on

	Input     []Input    `json:"input,omitempty"`
	Visible   *Visible   `json:"visible,omitempty"`
	NoAtomics bool       `json:"noAtomics,omitempty"` // it was no visible operation to load a variable atomically, but at Visible.Atomics
	NoAdds    bool       `json:"noAdds,omitempty"`    // with NoAtomics, nor to add to it where nobody uses the result
	NoLogs    bool       `json:"noLogs,omitempty"`    // it was no visible operation to write to the log of a test
	Goal      []GoalSite `json:"goal,omitempty"`      // of the places at which different goroutines are when the run ends
	Decisions []Decision `json:"decisions,omitempty"`
	Finding   *Finding   `json:"finding,omitempty"`

	// Read has hashes of the files of the target's module that the target had read, and of the
	// lists of directories, by their paths relative to the module's root. Those of directories end
	// in a slash.
	Read map[string]string `json:"read,omitempty"`
	// Initialisers is the number of goroutines that package initialisers started, the first ones
	// that goroutine 0 started: see OfInitialiser.
	Initialisers int `json:"initialisers,omitempty"`
	// Tests are the tests that were run together, if the target is several.
	Tests []Test `json:"tests,omitempty"`
	// Incomplete says why the events end before the run does. It is empty if they do not.
	Incomplete string `json:"incomplete,omitempty"`
}

// A Test is one of several tests that were run together.
type Test struct {
	Package   string `json:"package"` // import path
	Name      string `json:"name"`
	Goroutine string `json:"goroutine,omitempty"` // that was started for it, empty if it was not started
}

// TestOf returns the name of the test of which a goroutine is, directly or through other
// goroutines, if several tests were run together.
func (h *Header) TestOf(goroutine string) string {
	for _, t := range h.Tests {
		if t.Goroutine != "" && (goroutine == t.Goroutine || strings.HasPrefix(goroutine, t.Goroutine+".")) {
			return t.Name
		}
	}
	return ""
}

// OfInitialiser reports whether a package initialiser started the goroutine with the given
// name, directly or through other goroutines.
func (h *Header) OfInitialiser(goroutine string) bool {
	parts := strings.SplitN(goroutine, ".", 3)
	if len(parts) < 2 {
		return false
	}
	n, err := strconv.Atoi(parts[1])
	return err == nil && n <= h.Initialisers
}

// Options are the settings of the machine that a run depends on.
type Options struct {
	MaxLen       int    `json:"maxlen,omitempty"`
	MaxObjects   int    `json:"maxobjects,omitempty"` // 0 for the default, as of MaxChain
	MaxChain     int    `json:"maxchain,omitempty"`
	Instructions uint64 `json:"instructions,omitempty"`
	Memory       int64  `json:"memory,omitempty"` // in bytes, that the run could take
	// Stall is how long goroutines that could run could be kept waiting while time passed;
	// the largest Duration stands for no limit.
	Stall      time.Duration `json:"stall,omitempty"`
	Signals    int           `json:"signals,omitempty"`    // how many could come from outside
	Processors int           `json:"processors,omitempty"` // how many the program was told there are; 0 for the default
	// Network says what could happen to what was sent over a connection: it could be
	// delivered in "pieces", or connections could break, too ("breaks").
	Network string `json:"network,omitempty"`
	Short   bool   `json:"short,omitempty"` // what testing.Short reported
	// Run and Skip say which subtests were run, as the flags -run and -skip of go test do.
	Run     string   `json:"run,omitempty"`
	Skip    string   `json:"skip,omitempty"`
	Tags    []string `json:"tags,omitempty"`
	Globals []string `json:"globals,omitempty"` // names of the package variables that were inputs of a function
	Args    []string `json:"args,omitempty"`    // of a main function, as in os.Args[1:]
	Flags   []string `json:"flags,omitempty"`   // other flags that the go command listed the packages with, such as -mod=mod
	// Generated are files that were made for the run, and are on no disk: they are read in the
	// place of others, or beside them.
	Generated []File `json:"generated,omitempty"`
}

// A File is a file that was made for a run.
type File struct {
	Name string `json:"name"` // relative to the module's root, or below $GOROOT
	Text string `json:"text"`
	// Driver says that the file only drives what is tested: what its code does by itself is no part
	// of what is shown of a run.
	Driver bool `json:"driver,omitempty"`
}

// An Input is the value of one input variable.
type Input struct {
	Name  string `json:"name"` // Go syntax for the part: n, s[3], len(s), p.f
	Type  string `json:"type"` // as Go writes it; of a variable named len(x), the type of x
	Width uint8  `json:"width"`
	Value uint64 `json:"value"` // the bits, zero-extended
	// Choice says that the variable is no part of a value, but says which of the values
	// that are alike is meant: it is "cap(b) > 8" or the like, or stands for a seed that
	// is run as it is.
	Choice bool `json:"choice,omitempty"`
	// Any says that the run shows its finding with any value of this variable, and of all others of
	// which that is said, if the schedule is the same.
	Any bool `json:"any,omitempty"`
}

// Visible names the plain memory accesses that were visible operations.
type Visible struct {
	Sites   []Place  `json:"sites,omitempty"`
	Objects []Object `json:"objects,omitempty"`
	Atomics []Place  `json:"atomics,omitempty"` // with Header.NoAtomics, calls that load a variable atomically, or add to it
	Stops   []Place  `json:"stops,omitempty"`   // instructions before which goroutines waited for their turn
}

// A GoalSite is one of the instructions at which a goroutine is at a place that the run was to
// reach. Places have numbers from 0.
type GoalSite struct {
	Place
	Of int `json:"of,omitempty"`
	// Waits says that the instruction is an operation of the place: a goroutine that waits in it is there.
	Waits bool `json:"waits,omitempty"`
}

// A Place is an instruction of a function, by name.
type Place struct {
	Func  string `json:"func"`
	Instr int32  `json:"instr"`
}

// Compare orders objects by name.
func (o Object) Compare(p Object) int {
	return cmp.Or(cmp.Compare(o.Goroutine, p.Goroutine), cmp.Compare(o.Count, p.Count))
}

// Compare orders places by name.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Func, q.Func), cmp.Compare(p.Instr, q.Instr))
}

// A Finding is what was wrong with the run.
type Finding struct {
	Kind      string  `json:"kind"` // such as "panic": one of those in docs/findings.md
	Message   string  `json:"message"`
	Test      string  `json:"test,omitempty"` // in which it is, if that is a subtest, such as TestA/sub
	Goroutine string  `json:"goroutine"`
	Pos       string  `json:"pos"` // file:line:column
	Stack     []Frame `json:"stack,omitempty"`
	// Others are the other access of a race, or the other goroutines of a deadlock, livelock or
	// leak. They have no Others themselves.
	Others []Finding `json:"others,omitempty"`
	// Stall is how long goroutines that could run have to be kept waiting while time passes.
	Stall time.Duration `json:"stall,omitempty"`

	// Why is an order of two steps in which the run would pass; nil if none is known.
	Why *Why `json:"why,omitempty"`
	// Always says that the run fails in every order of its steps: they were all made, or there is only one.
	Always bool `json:"always,omitempty"`

	// What follows is known of a run that was not read from a file.

	// Events is the number of events of the run before it, 0 if that is not known.
	Events int `json:"events,omitempty"`
	// Waits are the operations that the goroutine of a deadlock or leak waits for. Those of a
	// select are several.
	Waits []Wait `json:"waits,omitempty"`
}

// A Wait is an operation that a goroutine waits to carry out.
type Wait struct {
	Op     Op      `json:"op"`
	Object *Object `json:"object,omitempty"`
	Offset int32   `json:"offset,omitempty"` // cell in the object
	Var    string  `json:"var,omitempty"`    // what it is called, as in a RunEvent
}

// All returns a sequence of the finding and its Others. That of nil is empty.
func (f *Finding) All() iter.Seq[*Finding] {
	return func(yield func(*Finding) bool) {
		if f == nil || !yield(f) {
			return
		}
		for i := range f.Others {
			if !yield(&f.Others[i]) {
				return
			}
		}
	}
}

// A Frame is a line of a call stack.
type Frame struct {
	Func string `json:"func"`
	Pos  string `json:"pos"`
}
