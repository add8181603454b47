package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/worker"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/schedule"
)

// fileVersion is the version of search files.
const fileVersion = 1

// A header is the first line of a search file: what is searched, and the settings that
// the unexplored items depend on.
type header struct {
	Version  int              `json:"everywaysearch"`
	Build    string           `json:"build"` // as in run files
	Package  string           `json:"package"`
	Target   string           `json:"target"`
	Kind     string           `json:"kind"`
	Tests    []string         `json:"tests,omitempty"` // of a target that is several
	Options  schedule.Options `json:"options,omitzero"`
	Leaks    check.Leaks      `json:"leaks"`
	All      bool             `json:"all,omitempty"`
	Accepted string           `json:"accepted,omitempty"` // text of the list
	Strategy string           `json:"strategy"`
	Order    strategy.Order   `json:"order"`
	Degree   int              `json:"degree"`
	Seed     uint64           `json:"seed"`
	Limits   [4]int64         `json:"limits"` // cells, depth, goroutines, decisions
}

func newHeader(prog *program.Program, target *load.Target, cfg Config) (header, error) {
	build, err := prog.Build(target)
	return header{
		Version:  fileVersion,
		Build:    build,
		Package:  target.Package.Path,
		Target:   target.Name,
		Kind:     target.Kind.String(),
		Tests:    testIDs(target),
		Options:  worker.RecordedOptions(prog, cfg.Settings),
		Leaks:    cfg.Leaks,
		All:      cfg.All,
		Accepted: cfg.accepted(prog, target).Text(),
		Strategy: cfg.Strategy,
		Order:    cfg.Order,
		Degree:   cfg.MaxDegree,
		Seed:     cfg.Seed,
		Limits:   [4]int64{cfg.Limits.Cells, int64(cfg.Limits.Depth), int64(cfg.Limits.Goroutines), int64(cfg.Limits.Decisions)},
	}, err
}

// testIDs names the tests of a target that is several.
func testIDs(target *load.Target) []string {
	var ids []string
	for i := range target.Tests {
		ids = append(ids, testID(&target.Tests[i]))
	}
	return ids
}

// accept says why a search with header was cannot be resumed as one with header h.
func (h *header) accept(was *header) error {
	switch {
	case was.Version != h.Version:
		return fmt.Errorf("it has version %d, this program reads version %d", was.Version, h.Version)
	case was.Build != h.Build:
		return errors.New("it was made from other sources or with another toolchain")
	case was.Package != h.Package || was.Target != h.Target || was.Kind != h.Kind:
		return fmt.Errorf("it is of %s %s.%s", was.Kind, was.Package, was.Target)
	case !slices.Equal(was.Tests, h.Tests):
		return fmt.Errorf("it is of other tests: %s", strings.Join(was.Tests, ", "))
	case was.Accepted != h.Accepted:
		return errors.New("other findings were accepted when it was made")
	case was.Leaks != h.Leaks || was.All != h.All || was.Strategy != h.Strategy || was.Order != h.Order || was.Degree != h.Degree || was.Seed != h.Seed || was.Limits != h.Limits || !reflect.DeepEqual(was.Options, h.Options):
		return errors.New("it was made with other settings (-strategy, -order, -k, -seed, -maxlen, -stall, -leaks, -all, -short, -run, -skip)")
	}
	return nil
}

// ErrResume is wrapped by the errors of searches that cannot be resumed.
var ErrResume = errors.New("cannot be resumed; without -resume the search starts anew")

// A file is where the state of a search is saved.
type file struct {
	path   disk.Path
	header header

	saved time.Time     // when it was written last
	took  time.Duration // by writing it
	err   error         // why it will not be written any more
}

func newFile(prog *program.Program, target *load.Target, cfg Config) (*file, error) {
	h, err := newHeader(prog, target, cfg)
	return &file{path: prog.Output(cfg.OutDir, target, ".search"), header: h}, err
}

// read returns the state in the file, nil when there is none.
func (f *file) read() (*state, error) {
	text, err := f.path.ReadFile()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("resuming: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	var was header
	if err := dec.Decode(&was); err != nil {
		return nil, fmt.Errorf("%s is not a search file: %w", f.path, err)
	}
	if err := f.header.accept(&was); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", f.path, err, ErrResume)
	}
	st := &state{}
	if err := dec.Decode(st); err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.path, err)
	}
	return st, nil
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
	f.err = f.path.Write(func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(&f.header); err != nil {
			return err
		}
		return enc.Encode(st)
	})
	f.saved = time.Now()
	f.took = f.saved.Sub(begin)
}
