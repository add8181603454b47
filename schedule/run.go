package schedule

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"
)

// Version is the version of the run file format that this package writes. ReadRun also reads
// version 1, in which each goroutine of a finding was nested in the one before it.
const Version = 2

// A Run is a recorded run.
type Run struct {
	Header
	Events []RunEvent
}

// A Header says what was run and how to run it again.
type Header struct {
	Version int      `json:"everyway"`         // Version
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
	Decisions []Decision `json:"decisions,omitempty"`
	Finding   *Finding   `json:"finding,omitempty"`

	// Read has hashes of the files of the target's module that the target had read, and of the
	// lists of directories, by their paths relative to the module's root. Those of directories
	// end in a slash.
	Read map[string]string `json:"read,omitempty"`
	// Initialisers is the number of goroutines that package initialisers started. They are
	// the first ones that goroutine 0 started: see OfInitialiser.
	Initialisers int `json:"initialisers,omitempty"`
	// Tests are the tests that were run together, if the target is several.
	Tests []Test `json:"tests,omitempty"`
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
	Instructions uint64 `json:"instructions,omitempty"`
	Memory       int64  `json:"memory,omitempty"` // in bytes, that the run could take
	// Stall is how long goroutines that could run could be kept waiting while time passed;
	// the largest Duration stands for no limit.
	Stall time.Duration `json:"stall,omitempty"`
	// Signals is how many signals could come from outside.
	Signals int `json:"signals,omitempty"`
	// Network says what could happen to what was sent over a connection: it could be
	// delivered in "pieces", or connections could break, too ("breaks").
	Network string `json:"network,omitempty"`
	Short   bool   `json:"short,omitempty"` // what testing.Short reported
	// Run and Skip say which subtests were run, as the flags -run and -skip of go test do.
	Run   string   `json:"run,omitempty"`
	Skip  string   `json:"skip,omitempty"`
	Tags  []string `json:"tags,omitempty"`
	Args  []string `json:"args,omitempty"`  // of a main function, as in os.Args[1:]
	Flags []string `json:"flags,omitempty"` // other flags that the go command listed the packages with, such as -mod=mod
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
}

// Visible names the plain memory accesses that were visible operations.
type Visible struct {
	Sites   []Place  `json:"sites,omitempty"`
	Objects []Object `json:"objects,omitempty"`
}

// A Place is an instruction of a function, by name.
type Place struct {
	Func  string `json:"func"`
	Instr int32  `json:"instr"`
}

// An Object names an object: Goroutine is empty for global variables.
type Object struct {
	Goroutine string `json:"goroutine,omitempty"`
	Count     int32  `json:"count"`
}

// Compare orders objects by name.
func (o Object) Compare(p Object) int {
	return cmp.Or(cmp.Compare(o.Goroutine, p.Goroutine), cmp.Compare(o.Count, p.Count))
}

// Compare orders places by name.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Func, q.Func), cmp.Compare(p.Instr, q.Instr))
}

// Timer stands for the name of a goroutine where a timer takes a step.
const Timer = "timer"

// A Decision is one answer of the scheduler: which goroutine takes the next
// step and in which of its ways, or a chosen value.
type Decision struct {
	Value     bool   `json:"value,omitempty"` // Alt is a value that Goroutine asked for
	Goroutine string `json:"g"`               // Timer for a timer
	Alt       int32  `json:"alt,omitempty"`
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

// A RunEvent is something a goroutine did that another could notice, or a mark
// of the run's structure.
type RunEvent struct {
	Goroutine string  `json:"g"`
	Index     int32   `json:"i"` // in the goroutine, from 0
	Op        Op      `json:"op"`
	Object    *Object `json:"object,omitempty"`
	Offset    int32   `json:"offset,omitempty"` // cell in the object
	Pos       string  `json:"pos,omitempty"`    // file:line:column
	Func      string  `json:"func,omitempty"`
	Alt       int32   `json:"alt,omitempty"`   // case of a select
	From      *int    `json:"from,omitempty"`  // event (by place in the run) that wrote the value read
	Child     string  `json:"child,omitempty"` // the goroutine that a Spawn starts
	Read      string  `json:"read,omitempty"`  // value read, as Go prints it
	Wrote     string  `json:"wrote,omitempty"`
	Waits     string  `json:"waits,omitempty"` // a goroutine that could run while time passes (TimePass), "" if there is none
	Cond      string  `json:"cond,omitempty"`  // condition of a Branch, in terms of the inputs and read values
}

// WriteRun writes r as a run file.
func WriteRun(w io.Writer, r *Run) error {
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	h := r.Header
	h.Version = Version
	if err := enc.Encode(&h); err != nil {
		return fmt.Errorf("writing run header: %w", err)
	}
	for i := range r.Events {
		if err := enc.Encode(&r.Events[i]); err != nil {
			return fmt.Errorf("writing event %d: %w", i, err)
		}
	}
	return buf.Flush()
}

// ReadRun reads a run file. The error names the line that is wrong.
func ReadRun(rd io.Reader) (*Run, error) {
	br := bufio.NewReader(rd)
	var r Run
	for line := 1; ; line++ {
		text, err := br.ReadBytes('\n')
		if len(text) > 0 {
			if err := r.decode(line, text); err != nil {
				return nil, err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading run file: %w", err)
		}
	}
	if r.Version == 0 {
		return nil, errors.New("empty run file")
	}
	return &r, nil
}

func (r *Run) decode(line int, text []byte) error {
	if line == 1 {
		if err := json.Unmarshal(text, &r.Header); err != nil {
			return fmt.Errorf("line 1: not a run file: %w", err)
		}
		switch r.Version {
		case Version:
			return nil
		case 1:
			return r.decodeNested(text)
		}
		return fmt.Errorf("line 1: run file has version %d, this program reads versions 1 to %d", r.Version, Version)
	}
	var e RunEvent
	if err := json.Unmarshal(text, &e); err != nil {
		return fmt.Errorf("line %d: event: %w", line, err)
	}
	r.Events = append(r.Events, e)
	return nil
}

// decodeNested gets the goroutines of a finding from a header of version 1.
func (r *Run) decodeNested(text []byte) error {
	type nested struct {
		Finding
		Other *nested `json:"other"`
	}
	var header struct {
		Finding *nested `json:"finding"`
	}
	if err := json.Unmarshal(text, &header); err != nil {
		return fmt.Errorf("line 1: finding: %w", err)
	}
	if header.Finding == nil {
		return nil
	}
	for other := header.Finding.Other; other != nil; other = other.Other {
		r.Finding.Others = append(r.Finding.Others, other.Finding)
	}
	return nil
}
