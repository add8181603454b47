package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed modules.txt
var modulesText string

// A module is a module of modules.txt.
type module struct{ path, version string }

// parseModules reads a list of modules. '#' begins a comment.
func parseModules(text string) ([]module, error) {
	var modules []module
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		switch fields := strings.Fields(line); len(fields) {
		case 0:
		case 2:
			modules = append(modules, module{fields[0], fields[1]})
		default:
			return nil, fmt.Errorf("modules.txt: %q is not a path and a version", strings.TrimSpace(line))
		}
	}
	return modules, nil
}

// fetch puts a copy of a module, that can be written to, in dir. It says why that cannot be.
func (m module) fetch(ctx context.Context, dir string) (why string, err error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", m.path+"@"+m.version)
	download.Dir = os.TempDir() // of no module
	out, err := download.Output()
	var downloaded struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &downloaded); jsonErr != nil {
		return "", errors.Join(err, jsonErr)
	}
	if downloaded.Error != "" {
		return firstLine(downloaded.Error), nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	if err := copyTree(dir, downloaded.Dir); err != nil {
		return "", fmt.Errorf("copying the module: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		if out, err := goCommand(ctx, dir, "mod", "init", m.path).CombinedOutput(); err != nil {
			return firstLine(string(out)), ctx.Err()
		}
	}
	// Not all modules list the sums of what their tests import.
	if goCommand(ctx, dir, "list", "-deps", "-test", "./...").Run() != nil {
		if out, err := goCommand(ctx, dir, "mod", "tidy").CombinedOutput(); err != nil {
			return firstLine(string(out)), ctx.Err()
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

// goCommand returns a go command that runs in dir.
func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	return cmd
}

// firstLine returns the first line of a message of the go command that says something.
func firstLine(s string) string {
	for line := range bytes.Lines([]byte(s)) {
		line := strings.TrimSpace(string(line))
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "go: downloading") {
			return line
		}
	}
	return "no reason given"
}
