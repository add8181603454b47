package covering

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

// What bounds the search for arguments with which runs come to schedules: runs that show nothing
// new, arguments, all runs, and their instructions.
const (
	maxIdleArguments = 60
	maxArguments     = 16
	maxVariedRuns    = 120
	maxVaried        = 200_000_000
)

// offered is the name of a directory that there is while arguments are varied, beside the files of the package. It has
//
//   - blank, an empty file,
//   - text, which has the arguments of the search, a line each,
//   - empty, a directory with nothing in it,
//
// and none is the name of a file that it does not have.
const offered = "everyway.files"

// varyArguments looks for runs from the start of the program that come to the schedules of which it
// is not known whether any does, with other arguments than those of the search. What they and the
// files decide may go either way in the set, and each such run is one of the program.
//
// Arguments are varied with which a run has carried out a schedule that none had before.
func (s *Search) varyArguments(ctx context.Context) error {
	if len(s.decisions) == 0 || s.target.Kind != load.TargetMain || s.unrealised() == 0 {
		return nil
	}
	text := strings.Join(s.program.Args, "\n") + "\n"
	beside := fstest.MapFS{
		path.Join(offered, "blank"): {Mode: 0o444},
		path.Join(offered, "text"):  {Mode: 0o444, Data: []byte(text)},
		path.Join(offered, "empty"): {Mode: fs.ModeDir | 0o555},
	}
	var words []string
	for _, name := range []string{"none", "text", "blank", "empty"} {
		words = append(words, path.Join(offered, name))
	}
	type step struct{ epoch, schedule int }
	shown := make(map[step]bool)
	work, queued := [][]string{slices.Clone(s.program.Args)}, make(map[string]bool)
	spent := uint64(0)
	runs := 0
	for idle := 0; len(work) > 0 && idle < maxIdleArguments && runs < maxVariedRuns && spent < maxVaried && s.unrealised() > 0; idle++ {
		args := work[0]
		work = work[1:]
		runs++
		base, err := s.boot(ctx, args, beside)
		if errors.Is(err, vm.ErrBoot) { // a run with these does not come to function main
			spent += base.booted
			continue
		}
		if err != nil {
			return fmt.Errorf("with the arguments %q: %w", args, err)
		}
		m := base.of(s.set.Epochs[0])
		j, err := m.travel(ctx, run.Input{}, maxPassed, false)
		if unsupported := (*UnsupportedError)(nil); errors.As(err, &unsupported) {
			s.openAll(fmt.Sprintf("with the arguments %q: %v", args, unsupported))
			return s.changed()
		}
		if err == nil {
			err = s.verify(j)
		}
		if err != nil {
			return fmt.Errorf("with the arguments %q: %w", args, err)
		}
		spent += base.booted + j.trace.Instructions
		news := s.realise(j, args)
		if news {
			if err := s.changed(); err != nil {
				return err
			}
		}
		for i := range j.visits {
			k := s.scheduleOf(&j.visits[i])
			if at := (step{j.visits[i].epoch, k}); !shown[at] {
				shown[at], news = true, true
			}
		}
		if !news && runs > 1 {
			continue
		}
		idle = -1
		for _, next := range variations(args, words, runs == 1) {
			if key := fmt.Sprintf("%q", next); !queued[key] {
				queued[key] = true
				work = append(work, next)
			}
		}
	}
	return nil
}

// openAll leaves the first epoch open, and so the set: a run does what schedules cannot be found for.
func (s *Search) openAll(why string) {
	if e := s.set.Epochs[0]; !slices.Contains(e.Open, why) {
		e.Open = append(e.Open, why)
	}
}

// variations returns what arguments may be, in place of some: with another one in the place of the
// last one, or of any and of all, with one more, and with one less.
func variations(args, words []string, any bool) (list [][]string) {
	for i := range args {
		for _, w := range words {
			if next := slices.Clone(args); next[i] != w && (any || i == len(args)-1) {
				next[i] = w
				list = append(list, next)
			}
		}
	}
	if any && len(args) > 1 {
		for _, w := range words {
			list = append(list, slices.Repeat([]string{w}, len(args)))
		}
	}
	if len(args) < maxArguments {
		for _, w := range words {
			list = append(list, append(slices.Clone(args), w))
		}
	}
	if len(args) > 0 {
		list = append(list, args[:len(args)-1:len(args)-1])
	}
	return list
}

// besideFiles are files, with those beside them that are offered, in one of their directories.
type besideFiles struct {
	fs.FS
	dir    string
	beside fs.FS
}

// of returns the files among which there is one if there is one at a path, and its path among these.
func (f besideFiles) of(name string) (fs.FS, string) {
	if rest, ok := strings.CutPrefix(name, path.Join(f.dir, offered)); ok && (rest == "" || rest[0] == '/') {
		return f.beside, offered + rest
	}
	return f.FS, name
}

// Stat implements [fs.StatFS].
func (f besideFiles) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.of(name)) }

// ReadFile implements [fs.ReadFileFS].
func (f besideFiles) ReadFile(name string) ([]byte, error) { return fs.ReadFile(f.of(name)) }

// ReadDir implements [fs.ReadDirFS].
func (f besideFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.of(name))
	if err != nil || path.Clean(name) != path.Clean(f.dir) {
		return list, err
	}
	more, err := fs.ReadDir(f.beside, ".")
	list = append(list, more...)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}
