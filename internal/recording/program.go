package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
)

// A Session builds and runs tests of some packages. What it needs for that is removed in the end.
type Session struct {
	goroot   string
	flags    []string // of the go command
	work     *disk.Temporary
	programs map[string]*Program // by the directory of the package
}

// NewSession returns a new session, with flags for the go command.
func NewSession(goroot string, flags []string) (*Session, error) {
	work, err := disk.MakeTemporary(disk.Host{}, os.TempDir(), "everyway-record-")
	if err != nil {
		return nil, err
	}
	return &Session{goroot, flags, work, map[string]*Program{}}, nil
}

// Close removes what the session has written.
func (s *Session) Close() error { return s.work.Remove() }

// Build returns the test binary of the package in a directory.
func (s *Session) Build(ctx context.Context, dir string) (*Program, error) {
	if p := s.programs[dir]; p != nil {
		return p, nil
	}
	p, err := build(ctx, dir, filepath.Join(s.work.Path, fmt.Sprint(len(s.programs))), s.goroot, s.flags)
	if err != nil {
		return nil, err
	}
	s.programs[dir] = p
	return p, nil
}

// A Program is a test binary that records.
type Program struct {
	dir, work string
	Assembly  []string // import paths of packages outside of GOROOT that have files in assembly: what these do to memory is not recorded
}

// A BuildError says that the go command could not build a test.
type BuildError struct{ Output string }

// Error returns the first line that says what is wrong.
func (e *BuildError) Error() string {
	for line := range strings.Lines(e.Output) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return "the go command failed"
}

// build builds the test binary of the package in a directory, with flags of the go command. It writes to a directory
// of its own, work, in which there is nothing yet.
func build(ctx context.Context, dir, work, goroot string, flags []string) (*Program, error) {
	p := &Program{dir: dir, work: work}
	sources := filepath.Join(work, "sources")
	if err := os.MkdirAll(sources, 0o777); err != nil {
		return nil, err
	}
	own, err := writeOverlay(sources, goroot)
	if err != nil {
		return nil, err
	}
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-trimpath=false", "-o", p.Binary()}, own, flags, []string{"."})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	// What the go command leaves if it is interrupted is removed with everything else.
	cmd.Env = append(os.Environ(), "GOTMPDIR="+work)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &BuildError{string(out)}
	}
	if err := checkSymbols(p.Binary()); err != nil {
		return nil, err
	}
	p.Assembly, err = assembly(p.Binary(), filepath.Join(goroot, "src")+string(filepath.Separator))
	return p, err
}

// Binary returns the file of the test binary.
func (p *Program) Binary() string { return filepath.Join(p.work, "test") }

// A Result is what a test has done.
type Result struct {
	*File
	Failure     string        // how the program ended if the test has not passed: "exit status 1", "signal: killed"
	Output      string        // of the program
	Interrupted bool          // the context was cancelled while the test ran
	Processor   time.Duration // processor time that the program took
	close       func() error
}

// Close closes the recording.
func (r *Result) Close() error { return r.close() }

// Record runs a test once, with more flags for the binary, and opens what it has recorded, which is of so many bytes at
// most. If the context is cancelled while the test runs, that is what it has done until then.
func (p *Program) Record(ctx context.Context, test string, flags []string, size int64) (*Result, error) {
	name := filepath.Join(p.work, "recording")
	env, err := environment(name, size)
	if err != nil {
		return nil, fmt.Errorf("making a file for what is recorded: %w", err)
	}
	args := append([]string{"-test.run=^" + test + "$", "-test.count=1", "-test.paniconexit0"}, flags...)
	cmd := exec.CommandContext(ctx, p.Binary(), args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	if cmd.ProcessState == nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && ctx.Err() == nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("running the test: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	recorded, err := openFile(f, size)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r := &Result{File: recorded, Output: out.String(), Interrupted: ctx.Err() != nil, close: f.Close}
	r.Processor = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if !cmd.ProcessState.Success() {
		r.Failure = cmd.ProcessState.String()
	}
	return r, nil
}
