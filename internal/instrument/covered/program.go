package covered

import (
	"embed"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"runtime"
	"slices"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/instrument/overlay"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/schedule"
)

//go:embed _src
var sources embed.FS

// sourceDirs are the directories in GOROOT/src of the packages in _src. That of a package with assembly has to exist.
var sourceDirs = map[string]string{"goroutine": "debug", "cover": "everyway/cover"}

// A Program is one that is to be kept to schedules.
type Program struct {
	Fset     *token.FileSet
	Sizes    types.Sizes
	Packages []*load.Package // with all that are imported
	Main     *load.Package
	// Read returns the text of a file that is none of the standard library's, as it was when it was parsed.
	Read func(name string) ([]byte, error)
	// Position returns a position as a set has it.
	Position func(token.Pos) string
}

// Options say what the program does.
type Options struct {
	// Allow has it run on freely, and say so, where the set has no schedule for what it does; otherwise it is stopped.
	Allow bool
}

// A Summary says how much of the program had to change.
type Summary struct {
	Sites     int // operations and markers
	Variables int // local ones that are made known
	Decisions int // of all trees
	Terms     int // operators in conditions
}

// A RefusedError says why a program cannot be kept to a set, in one line.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// program is what is known while the sources are written.
type program struct {
	*Program
	set   *cover.Set
	sites []*site

	at      map[string][]*variable // by places
	globals map[string]*variable   // by import path and name
	inputs  map[input]*variable
	places  int // variables at places
	kept    map[cover.Root]*kept
	decided []bool // by decisions of the set: it has been found in the source
}

// inputs is the package that draws inputs, which synchronises as it likes.
const inputs = "github.com/everyway-go/everyway/sym"

// Check returns a [*RefusedError] if a program cannot be kept to a set with a go command, as Write does.
func Check(t overlay.Toolchain, of *Program, set *cover.Set) error {
	p, files, err := rewrite(of, set)
	if err != nil {
		return err
	}
	for _, f := range files {
		text, err := f.changed()
		if err != nil {
			return err
		}
		if text != nil && !t.Replaces(f.path) {
			return refuseFile(f.path)
		}
	}
	_, _, err = p.tables(Options{})
	return err
}

// refuseFile returns the error for a file that the go command takes as it is.
func refuseFile(path string) error {
	return refuse("%s: in a workspace, packages of the module cache cannot be kept to schedules: set GOWORK=off", path)
}

// rewrite rewrites the sources of a program that keeps to a set.
func rewrite(of *Program, set *cover.Set) (*program, []*file, error) {
	if !slices.Contains([]string{"amd64", "arm64"}, runtime.GOARCH) {
		return nil, nil, refuse("programs are kept to schedules on amd64 and arm64 only")
	}
	p := &program{Program: of, set: set, decided: make([]bool, len(set.Decisions))}
	if err := p.supported(); err != nil {
		return nil, nil, err
	}
	if err := p.variables(); err != nil {
		return nil, nil, err
	}
	var files []*file
	for _, pkg := range of.Packages {
		if pkg.Standard || pkg.Path == inputs {
			continue
		}
		for _, syntax := range pkg.Files {
			f, err := newFile(p, pkg, syntax)
			if err != nil {
				return nil, nil, err
			}
			if err := f.rewrite(); err != nil {
				return nil, nil, err
			}
			files = append(files, f)
		}
	}
	if err := p.makeGlobalsKnown(files); err != nil {
		return nil, nil, err
	}
	if err := p.unplaced(); err != nil {
		return nil, nil, err
	}
	if err := p.undecided(); err != nil {
		return nil, nil, err
	}
	return p, files, nil
}

// Write writes the sources of a program that keeps to a set. The error is a [*RefusedError] if it cannot be kept to it.
func Write(w *overlay.Writer, of *Program, set *cover.Set, o Options) (*Summary, error) {
	p, files, err := rewrite(of, set)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := f.changed()
		if err != nil {
			return nil, err
		}
		if text != nil && !w.Put(f.path, text) {
			return nil, refuseFile(f.path)
		}
	}
	data, summary, err := p.tables(o)
	if err != nil {
		return nil, err
	}
	for name, to := range sourceDirs {
		list, err := sources.ReadDir("_src/" + name)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			text, err := sources.ReadFile("_src/" + name + "/" + d.Name())
			if err != nil {
				return nil, err
			}
			w.PutLibrary(path.Join(to, d.Name()), text)
		}
	}
	w.PutLibrary(path.Join(sourceDirs["cover"], "data.go"), data)
	return summary, nil
}

// supported returns an error for a set that says that it does not cover all inputs.
func (p *program) supported() error {
	if len(p.set.Epochs) == 0 {
		return refuse("the set has no epochs")
	}
	first := p.set.Epochs[0].Goroutines
	if len(first) != 1 || first[0].Kind != cover.Entry {
		return refuse("the first epoch does not begin at the entry of the program")
	}
	return nil
}

// check returns an error if a node is at no operation of the program.
func (p *program) check() error {
	at := map[string][]*site{}
	for _, s := range p.sites {
		for _, place := range s.places {
			at[place] = append(at[place], s)
		}
	}
	for i, e := range p.set.Epochs {
		for _, sc := range e.Schedules {
			for _, n := range sc.Nodes {
				if n.Position == "" && n.Op == schedule.WaitGroupAdd {
					continue // at the end of what WaitGroup.Go has started
				}
				if !slices.ContainsFunc(at[n.Position], func(s *site) bool { return n.Bypass && s.marker || !n.Bypass && slices.Contains(s.ops, n.Op) }) {
					what := n.Op.String()
					if n.Bypass {
						what = "marker"
					}
					return refuse("epoch %d: %s: %s: there is none in the source that can be kept to a schedule", i, n.Position, what)
				}
			}
			for _, g := range sc.End.Goroutines {
				if g.Kind == cover.Ended || sc.End.Kind.Ends() {
					continue
				}
				if len(g.Stack) == 0 ||
					!slices.ContainsFunc(at[g.Stack[0]], func(s *site) bool { return s.marker == (g.Kind == cover.Marked) }) {
					return refuse("epoch %d: a goroutine is to end it at %s: there is nothing in the source that can be kept to a schedule", i, g)
				}
			}
		}
	}
	return nil
}
