package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A workspace is a module that holds a copy of each program in a directory of its own.
type workspace string

// newWorkspace copies the programs to a new directory.
func newWorkspace(programs []*program) (workspace, error) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return "", fmt.Errorf("making a directory for the programs: %w", err)
	}
	w := workspace(dir)
	write := func(name string, data []byte) error {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o666)
	}
	err = write(filepath.Join(dir, "go.mod"), []byte("module conformance\n\ngo 1.26\n"))
	for _, p := range programs {
		for _, file := range p.files {
			src, readErr := os.ReadFile(file)
			err = errors.Join(err, readErr, write(filepath.Join(w.dir(p), filepath.Base(file)), src))
		}
	}
	if err != nil {
		return w, fmt.Errorf("copying the programs: %w", err)
	}
	return w, nil
}

// dir returns the directory of a program.
func (w workspace) dir(p *program) string {
	return filepath.Join(string(w), strings.ReplaceAll(p.name, "/", "_"))
}

// binary returns where the program is built.
func (w workspace) binary(p *program) string {
	return filepath.Join(string(w), ".bin", filepath.Base(w.dir(p)))
}

// build has the go command compile the programs. One that does not compile has no
// binary afterwards, and runNative tells so.
func (w workspace) build(ctx context.Context, programs []*program) error {
	if err := os.MkdirAll(filepath.Join(string(w), ".bin"), 0o777); err != nil {
		return fmt.Errorf("making a directory for the binaries: %w", err)
	}
	groups := make(map[string][]*program) // by flags
	for _, p := range programs {
		f := strings.Join(p.flags, " ")
		groups[f] = append(groups[f], p)
	}
	for _, group := range groups {
		// The linker's tables of symbols are for debuggers.
		args := append([]string{"build", "-ldflags=-s -w", "-o", ".bin/"}, group[0].flags...)
		for _, p := range group {
			args = append(args, "./"+filepath.Base(w.dir(p)))
		}
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = string(w)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			return fmt.Errorf("building the programs: %w", err)
		}
	}
	return ctx.Err()
}

// nativeTime bounds a native run: programs of the suite take seconds.
const nativeTime = 2 * time.Minute

// runNative runs the binary of a program.
func (w workspace) runNative(ctx context.Context, p *program) ending {
	ctx, cancel := context.WithTimeout(ctx, nativeTime)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, w.binary(p), p.args...)
	cmd.Dir = w.dir(p)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, os.ErrNotExist):
		return ending{Code: none, How: "does not compile as a package of a module"}
	case errors.As(err, &exit) && exit.Exited():
	case err != nil:
		return ending{Code: none, How: err.Error()}
	}
	return ending{Output: out.String(), Code: cmd.ProcessState.ExitCode()}
}
