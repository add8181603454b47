package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// fileVersion is the version of search files.
const fileVersion = 3

// A header is the first line of a search file: what is searched, and the settings that
// the unexplored items depend on.
type header struct {
	Version    int              `json:"everywaysearch"`
	Everyway   string           `json:"everyway"`        // hash of the executable
	Build      string           `json:"build"`           // as in run files
	Lines      string           `json:"lines"`           // hash of where the code stands
	Files      []program.Seen   `json:"files,omitempty"` // what was read of them so far
	Package    string           `json:"package"`
	Target     string           `json:"target"`
	Kind       string           `json:"kind"`
	Tests      []string         `json:"tests,omitempty"` // of a target that is several
	Options    schedule.Options `json:"options,omitzero"`
	Leaks      check.Leaks      `json:"leaks"`
	All        bool             `json:"all,omitempty"`
	Accepted   string           `json:"accepted,omitempty"` // text of the list
	Strategy   string           `json:"strategy"`
	Order      strategy.Order   `json:"order"`
	Degree     int              `json:"degree"`
	Reductions Reductions       `json:"reductions"`
	Seed       uint64           `json:"seed"`
	Limits     [3]int64         `json:"limits"` // depth, goroutines, decisions
	LongStall  time.Duration    `json:"longstall,omitempty"`
	Reach      []string         `json:"reach,omitempty"` // see Reach.saved
}

func newHeader(prog *program.Program, target *load.Target, cfg Config) (header, error) {
	build, err := prog.Build(target)
	if err != nil {
		return header{}, err
	}
	reached, err := prog.Reach(target)
	return header{
		Version:    fileVersion,
		Everyway:   cfg.everyway,
		Build:      build,
		Lines:      reached.Lines.String()[:16] + reached.Dirs.String()[:16],
		Package:    target.Package.Path,
		Target:     target.Name,
		Kind:       target.Kind.String(),
		Tests:      testIDs(target),
		Options:    worker.RecordedOptions(prog, target, cfg.Settings),
		Leaks:      cfg.Leaks,
		All:        cfg.All,
		Accepted:   cfg.accepted(prog, target).Text(),
		Strategy:   cfg.Strategy,
		Order:      cfg.Order,
		Degree:     cfg.MaxDegree,
		Reductions: cfg.reductions(),
		Seed:       cfg.Seed,
		Limits:     [3]int64{int64(cfg.Limits.Depth), int64(cfg.Limits.Goroutines), int64(cfg.Limits.Decisions)},
		LongStall:  cfg.LongStall,
		Reach:      cfg.Reach.saved(target),
	}, err
}

// testIDs names the tests of a target that is several.
func testIDs(target *load.Target) []string {
	var ids []string
	for i := range target.Tests {
		ids = append(ids, targetID(&target.Tests[i]))
	}
	return ids
}

// accept says why a search with header was cannot be resumed as one with header h.
func (h *header) accept(was *header) error {
	switch {
	case was.Version != h.Version:
		return fmt.Errorf("it has version %d, this program reads version %d", was.Version, h.Version)
	case was.Everyway != h.Everyway:
		return errors.New("it was made by another build of everyway")
	case was.Build != h.Build:
		return errors.New("it was made from other sources or with another toolchain")
	case was.Lines != h.Lines:
		return errors.New("the code has moved to other lines or directories since it was made")
	case was.Package != h.Package || was.Target != h.Target || was.Kind != h.Kind:
		return fmt.Errorf("it is of %s %s.%s", was.Kind, was.Package, was.Target)
	case !slices.Equal(was.Tests, h.Tests):
		return fmt.Errorf("it is of other tests: %s", strings.Join(was.Tests, ", "))
	case !slices.Equal(was.Reach, h.Reach):
		return fmt.Errorf("it was to reach something else, or with other targets: %s", strings.Join(was.Reach, ", "))
	case was.Accepted != h.Accepted:
		return errors.New("other findings were accepted when it was made")
	case was.Leaks != h.Leaks || was.All != h.All || was.Strategy != h.Strategy || was.Order != h.Order ||
		was.Degree != h.Degree || was.Reductions != h.Reductions || was.Seed != h.Seed || was.Limits != h.Limits || was.LongStall != h.LongStall || !reflect.DeepEqual(was.Options, h.Options):
		return fmt.Errorf("it was made with other settings: %s", strings.Join(h.differences(was), ", "))
	}
	return nil
}

// differences names the settings of was that are others than those of h, as flags.
func (h *header) differences(was *header) []string {
	var list []string
	add := func(name string, was, now any) {
		switch {
		case reflect.DeepEqual(was, now):
		case reflect.ValueOf(was).IsZero():
			list = append(list, "no -"+name)
		default:
			list = append(list, fmt.Sprintf("-%s %v", name, was))
		}
	}
	add("strategy", was.Strategy, h.Strategy)
	add("order", was.Order, h.Order)
	add("k", was.Degree, h.Degree)
	add("reduce", was.Reductions.String(), h.Reductions.String())
	add("seed", was.Seed, h.Seed)
	add("leaks", was.Leaks, h.Leaks)
	add("all", was.All, h.All)
	a, b := reflect.ValueOf(was.Options), reflect.ValueOf(h.Options)
	for i := range a.NumField() {
		if name := a.Type().Field(i).Name; name != "Instructions" {
			add(strings.ToLower(name), a.Field(i).Interface(), b.Field(i).Interface())
		}
	}
	if was.LongStall != h.LongStall && was.Options.Stall == h.Options.Stall {
		list = append(list, fmt.Sprintf("-stall %v, given or not", was.Options.Stall))
	}
	if was.Limits != h.Limits || was.Options.Instructions != h.Options.Instructions {
		list = append(list, "other bounds of a run")
	}
	return list
}

// executable returns a hash of everyway itself.
func executable() string {
	key, err := cache.Executable()
	if err != nil {
		return fmt.Sprintf("process %d", os.Getpid()) // nobody knows more of it
	}
	return key.String()[:16]
}

// A Lost search is one of a target that is gone.
type Lost struct {
	File   string
	Target string // as package.Test
}

// Gone returns the searches in files that are of targets which the packages of prog do not have
// any more.
func Gone(prog *program.Program, cfg Config) []Lost {
	tests := map[string]bool{}
	targets := map[string]bool{}
	for _, t := range prog.Targets() {
		targets[strings.Join(program.TargetNames(&t), " ")] = true
		tests[targetID(&t)] = true
	}
	var list []Lost
	for _, pkg := range prog.Packages {
		files, err := prog.Output(cfg.OutDir, &load.Target{Package: pkg}, "*.search").Glob()
		if err != nil {
			continue // there are none
		}
		for _, path := range files {
			h, err := readHeader(path)
			if err != nil || h.Package != pkg.Path {
				continue // it is in the way of no target, and of use to none
			}
			there := targets[strings.Join([]string{h.Kind, h.Package, h.Target}, " ")]
			switch h.Kind {
			case load.TargetFunc.String():
				_, err := prog.Funcs(h.Target)
				there = err == nil
			case load.TargetParallel.String():
				there = !slices.ContainsFunc(h.Tests, func(id string) bool { return !tests[id] })
			}
			if !there && !isGenerated(&h) {
				list = append(list, Lost{path.String(), h.Package + "." + h.Target})
			}
		}
	}
	return list
}

// isGenerated reports whether the target of a search is in a file that was made for the search: prog need not have it.
func isGenerated(h *header) bool {
	return slices.ContainsFunc(h.Options.Generated, func(f schedule.File) bool { return strings.Contains(f.Text, "\nfunc "+h.Target+"(") })
}

// readHeader reads the header of a search file.
func readHeader(path disk.Path) (h header, err error) {
	err = path.Read(func(from io.Reader) error { return json.NewDecoder(from).Decode(&h) })
	return h, err
}

// A file is where the state of a search is saved.
type file struct {
	path   disk.Path
	header header
	seen   func() ([]program.Seen, error) // what was read of the files of the target
	wrote  func(seed string)              // notes that the search has written a seed

	saved time.Time     // when it was written last
	took  time.Duration // by writing it
	err   error         // why it will not be written any more
}

func newFile(prog *program.Program, target *load.Target, cfg Config) (*file, error) {
	h, err := newHeader(prog, target, cfg)
	suffix := ".search"
	if h.Reach != nil {
		suffix = "-reach.search" // which is not in the way of the search for what is wrong
	}
	return &file{
		path: prog.Output(cfg.OutDir, target, suffix), header: h,
		seen:  func() ([]program.Seen, error) { return prog.Seen(target) },
		wrote: func(seed string) { prog.Wrote(target, seed) },
	}, err
}

// read returns the state in the file, and what was read of the files of the target before it was
// written. The state is nil if there is no file.
func (f *file) read() (*state, []program.Seen, error) {
	text, err := f.path.ReadFile()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	var was header
	if err := dec.Decode(&was); err != nil {
		return nil, nil, fmt.Errorf("it is no search file: %w", err)
	}
	if err := f.header.accept(&was); err != nil {
		return nil, nil, err
	}
	st := &state{}
	if err := dec.Decode(st); err != nil {
		return nil, nil, fmt.Errorf("it is damaged: %w", err)
	}
	rest := dec.InputOffset() + 1
	if rest > int64(len(text)) || string(text[rest:]) != fmt.Sprintf("%x\n", sha256.Sum256(text[:rest])) {
		return nil, nil, errors.New("it is damaged: it has another hash than its last line says")
	}
	if err := st.check(); err != nil {
		return nil, nil, fmt.Errorf("it is damaged: %w", err)
	}
	return st, was.Files, nil
}

// resume is read for a search in another process. It is an error if a file has changed that was
// read.
func (f *file) resume() (*state, []program.Seen, error) {
	st, seen, err := f.read()
	for i := range seen {
		if name := seen[i].Changed(); name != "" {
			return nil, nil, fmt.Errorf("%s has changed since it was made", name)
		}
	}
	return st, seen, err
}

// The bounds of how much of the time goes into saving: a twentieth, and never
// more often than saveEvery.
const (
	saveEvery = 100 * time.Millisecond
	saveShare = 20
)

// due reports whether it is time to write the file again.
func (f *file) due() bool {
	return f.err == nil && time.Since(f.saved) >= max(saveEvery, saveShare*f.took)
}

// write saves a state. When that fails it is not tried again: the search goes on, but
// cannot be resumed.
func (f *file) write(st *state) {
	if f.err != nil {
		return
	}
	begin := time.Now()
	if f.header.Files, f.err = f.seen(); f.err != nil {
		return
	}
	f.err = f.path.Write(func(w io.Writer) error {
		sum := sha256.New()
		enc := json.NewEncoder(io.MultiWriter(w, sum))
		enc.SetEscapeHTML(false)
		if err := enc.Encode(&f.header); err != nil {
			return err
		}
		if err := enc.Encode(st); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "%x\n", sum.Sum(nil))
		return err
	})
	f.saved = time.Now()
	f.took = f.saved.Sub(begin)
}
