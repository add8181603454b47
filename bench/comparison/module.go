package main

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/everyway-go/everyway/bench/internal/command"
)

// A module is a copy of the tests, so that a tool may write into it.
type module struct {
	dir      string
	goleak   string // the directory of another copy, in which goleak checks the tests
	everyway command.Everyway
	targets  []target

	mu       sync.Mutex
	binaries map[string]*binary
	searches map[string][]command.Target // by package and flags
}

// A target is a test or a fuzz target with a bug.
type target struct {
	pkg, name string // the package is a directory of the module
	found     bool   // of examples/found
}

func (t target) String() string { return t.pkg + "." + t.name }

func (t target) hasInput() bool { return strings.HasPrefix(t.name, "Fuzz") }

// goleakModule is what checks for goroutines that remain, the release of 2023.
const goleakModule = "go.uber.org/goleak@v1.3.0"

// testMain has the tests of a package checked by goleak.
const testMain = `package %s

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
`

// newModule copies the tests below a directory, and lists them.
func newModule(ctx context.Context, work string) (*module, error) {
	m := &module{
		dir: filepath.Join(work, "module"), goleak: filepath.Join(work, "goleak"),
		binaries: map[string]*binary{}, searches: map[string][]command.Target{},
	}
	var err error
	if m.everyway, err = command.Build(ctx, work); err != nil {
		return nil, err
	}
	if _, err := copyTests(m.dir); err != nil {
		return nil, err
	}
	packages, err := copyTests(m.goleak)
	if err != nil {
		return nil, err
	}
	if out, err := goCommand(ctx, m.goleak, "get", goleakModule).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("adding goleak: %w\n%s", err, out)
	}
	for name, found := range packages {
		if err := addTestMain(filepath.Join(m.goleak, name)); err != nil {
			return nil, err
		}
		out, err := goCommand(ctx, m.dir, "test", "-list", ".", "./"+name).Output()
		if err != nil {
			return nil, fmt.Errorf("listing the tests of %s: %w", name, err)
		}
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "Test") || strings.HasPrefix(line, "Fuzz") {
				m.targets = append(m.targets, target{name, line, found})
			}
		}
	}
	slices.SortFunc(m.targets, func(a, b target) int { return strings.Compare(a.String(), b.String()) })
	return m, nil
}

// copyTests makes a module of examples/found and the examples. It returns the names of its packages, and of each whether
// it is of examples/found.
func copyTests(dir string) (map[string]bool, error) {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("examples", "found"))); err != nil {
		return nil, fmt.Errorf("copying the tests: %w", err)
	}
	tests, err := filepath.Glob(filepath.Join(dir, "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	packages := map[string]bool{}
	for _, file := range tests {
		packages[filepath.Base(filepath.Dir(file))] = true
	}
	for _, name := range []string{"addall", "art", "bluetooth", "quota"} {
		if err := copyFiles(filepath.Join(dir, name), filepath.Join("examples", name)); err != nil {
			return nil, err
		}
		packages[name] = false
	}
	return packages, nil
}

// copyFiles copies the Go files of a directory, but no inputs that were found before.
func copyFiles(to, from string) error {
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func addTestMain(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s has no tests: %w", dir, err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), files[0], nil, parser.PackageClauseOnly)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "goleak_main_test.go"), fmt.Appendf(nil, testMain, parsed.Name.Name), 0o666)
}

func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	return cmd
}

// A binary is the tests of a package, built once.
type binary struct {
	once sync.Once
	file string
	err  error
}

// build returns the test binary of the package in a directory, built with some flags of go test.
func (m *module) build(ctx context.Context, dir string, flags ...string) (string, error) {
	key := strings.Join(append(flags, dir), " ")
	m.mu.Lock()
	b := m.binaries[key]
	if b == nil {
		b = &binary{file: filepath.Join(m.dir, fmt.Sprintf("test-%d", len(m.binaries)))}
		m.binaries[key] = b
	}
	m.mu.Unlock()
	b.once.Do(func() {
		args := append([]string{"test", "-c", "-o", b.file}, flags...)
		if out, err := goCommand(ctx, dir, args...).CombinedOutput(); err != nil {
			b.err = fmt.Errorf("building the tests in %s: %w\n%s", dir, err, out)
		}
	})
	return b.file, b.err
}
