package modules

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Module is a module at a version.
type Module struct{ Path, Version string }

// String returns the module as the go command names it.
func (m Module) String() string { return m.Path + "@" + m.Version }

// Parse reads a list of modules, a path and a version each. '#' begins a comment.
func Parse(text string) ([]Module, error) {
	var modules []Module
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		switch fields := strings.Fields(line); len(fields) {
		case 0:
		case 2:
			modules = append(modules, Module{fields[0], fields[1]})
		default:
			return nil, fmt.Errorf("%q is not a path and a version", strings.TrimSpace(line))
		}
	}
	return modules, nil
}

// Fetch puts a copy of a module, that can be written to, in dir. It says why that cannot be.
func (m Module) Fetch(ctx context.Context, dir string) (why string, err error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", m.String())
	download.Dir = os.TempDir() // of no module
	out, err := download.Output()
	var downloaded struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &downloaded); jsonErr != nil {
		return "", errors.Join(err, jsonErr)
	}
	if downloaded.Error != "" {
		return FirstLine(downloaded.Error), nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := copyTree(dir, downloaded.Dir); err != nil {
		return "", fmt.Errorf("copying the module: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		if out, err := GoCommand(ctx, dir, "mod", "init", m.Path).CombinedOutput(); err != nil {
			return FirstLine(string(out)), ctx.Err()
		}
	}
	// Not all modules list the sums of what their tests import.
	if GoCommand(ctx, dir, "list", "-deps", "-test", "./...").Run() != nil {
		if out, err := GoCommand(ctx, dir, "mod", "tidy").CombinedOutput(); err != nil {
			return FirstLine(string(out)), ctx.Err()
		}
	}
	return "", nil
}

// copyTree copies the files of a directory.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o666)
	})
}

// GoCommand returns a go command that runs in dir.
func GoCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	return cmd
}

// FirstLine returns the first line of a message of the go command that says something.
func FirstLine(s string) string {
	for line := range bytes.Lines([]byte(s)) {
		line := strings.TrimSpace(string(line))
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go: downloading") {
			return line
		}
	}
	return "no reason given"
}

// Target names a target of a module by its package, relative to the module, and its name.
func (m Module) Target(pkg, name string) string {
	if rel := strings.TrimPrefix(strings.TrimPrefix(pkg, m.Path), "/"); rel != "" {
		return rel + "." + name
	}
	return name
}

// Summary returns the line of the message of a finding that says what is wrong: of those of
// testify, the one after "Error:".
func Summary(message string) string {
	if _, after, ok := strings.Cut(message, "Error:"); ok {
		message = after
	}
	return FirstLine(message)
}
