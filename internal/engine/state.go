package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A state is all that a search needs to go on later. It is what a search file
// holds.
type state struct {
	// Phase is the index, among those of the mix, of the strategy that is at work.
	Phase int   `json:"phase"`
	Tally tally `json:"tally,omitzero"`
	Since int   `json:"since,omitempty"` // runs made when the phase began
	// What con2colic has shown.
	Degree   int    `json:"degree"`
	ByDegree []int  `json:"bydegree,omitempty"`
	Promise  string `json:"promise,omitempty"` // of the random runs

	// Divided is set when the phase is one that tasks are made of; see divide.go.
	Divided bool `json:"divided,omitempty"`
	// Frontier holds the unexplored items, the next one last.
	Frontier [][]byte `json:"frontier,omitempty"`
	Deep     bool     `json:"deep,omitempty"`  // it is so large that the search goes depth first
	Round    int      `json:"round,omitempty"` // rounds begun
	Tasks    []task   `json:"tasks,omitempty"` // of the round, those that are not in Tally yet
	Left     [][]byte `json:"left,omitempty"`  // what those that are have left over, next first
	Numbered int      `json:"numbered,omitempty"`
	Before   int      `json:"before,omitempty"` // runs made by the phases before
	Size     size     `json:"size,omitzero"`

	// Finite is set when an exhaustive search has come to its end.
	Finite bool `json:"finite,omitempty"`
	// Findings were reported; Ended is the verdict when no more is to be done.
	Findings []*verdict.Found `json:"findings,omitempty"`
	Ended    verdict.Verdict  `json:"ended,omitempty"`
}

// searchVersion is the version of search files.
const searchVersion = 1

// A searchHeader is the first line of a search file: what was searched, and the
// settings that what is unexplored depends on.
type searchHeader struct {
	Version  int              `json:"everywaysearch"`
	Build    string           `json:"build"` // as in run files
	Package  string           `json:"package"`
	Target   string           `json:"target"`
	Kind     string           `json:"kind"`
	Options  schedule.Options `json:"options,omitzero"`
	Strategy string           `json:"strategy"`
	Order    strategy.Order   `json:"order"`
	Degree   int              `json:"degree"`
	Seed     uint64           `json:"seed"`
	Limits   [4]int64         `json:"limits"` // cells, depth, goroutines, decisions
}

func newSearchHeader(prog *program.Program, target *load.Target, cfg Config) searchHeader {
	return searchHeader{
		Version:  searchVersion,
		Build:    prog.Build,
		Package:  target.Package.Path,
		Target:   target.Name,
		Kind:     target.Kind.String(),
		Options:  runOptions(prog, cfg),
		Strategy: cfg.Strategy,
		Order:    cfg.Order,
		Degree:   cfg.MaxDegree,
		Seed:     cfg.Seed,
		Limits:   [4]int64{cfg.Limits.Cells, int64(cfg.Limits.Depth), int64(cfg.Limits.Goroutines), int64(cfg.Limits.Decisions)},
	}
}

// accept says why a search with header was cannot go on as one with header h.
func (h *searchHeader) accept(was *searchHeader) error {
	switch {
	case was.Version != h.Version:
		return fmt.Errorf("it has version %d, this program reads version %d", was.Version, h.Version)
	case was.Build != h.Build:
		return errors.New("it was made from other sources or with another toolchain")
	case was.Package != h.Package || was.Target != h.Target || was.Kind != h.Kind:
		return fmt.Errorf("it is of %s %s.%s", was.Kind, was.Package, was.Target)
	case was.Strategy != h.Strategy || was.Order != h.Order || was.Degree != h.Degree || was.Seed != h.Seed || was.Limits != h.Limits || !reflect.DeepEqual(was.Options, h.Options):
		return errors.New("it was made with other settings (-strategy, -order, -k, -seed, -maxlen, -timers, -short)")
	}
	return nil
}

// ErrResume is wrapped by the errors of searches that cannot be gone on with.
var ErrResume = errors.New("cannot be resumed; without -resume the search starts anew")

// readSearch reads a search file. The state is nil when there is none.
func readSearch(path string, want searchHeader) (*state, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("resuming: %w", err)
	}
	defer file.Close()
	dec := json.NewDecoder(bufio.NewReader(file))
	var h searchHeader
	if err := dec.Decode(&h); err != nil {
		return nil, fmt.Errorf("%s is not a search file: %w", path, err)
	}
	if err := want.accept(&h); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, err, ErrResume)
	}
	st := &state{}
	if err := dec.Decode(st); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return st, nil
}

// writeSearch writes a search file.
func writeSearch(path string, h searchHeader, st *state) error {
	return writeFile(path, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(&h); err != nil {
			return err
		}
		return enc.Encode(st)
	})
}

// writeFile writes a file that is, at every moment and after a crash, the whole
// of what it was before or the whole of what it is to be.
func writeFile(path string, fill func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	buf := bufio.NewWriterSize(tmp, 1<<16)
	if err := fill(buf); err != nil {
		return err
	}
	if err := buf.Flush(); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// total is the tally of all runs made so far, those of tasks under way included.
func (st *state) total() tally {
	sum := st.Tally.clone()
	for i := range st.Tasks {
		sum.add(&st.Tasks[i].Tally)
	}
	return sum
}

// unexplored is the number of items that are known and were not explored.
func (st *state) unexplored() int {
	n := len(st.Frontier) + len(st.Left)
	for i := range st.Tasks {
		n += len(st.Tasks[i].Items)
	}
	return n
}

// endRound makes what the tasks have left over the front of the frontier.
func (st *state) endRound() {
	slices.Reverse(st.Left)
	st.Frontier = append(st.Frontier, st.Left...)
	st.Left = nil
}
