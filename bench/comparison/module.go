package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/internal/goroot"
)

// A module is a copy of the tests, so that a tool may write into it.
type module struct {
	dir      string
	adapted  map[string]string // other copies, whose tests are adapted, by the name of the adapter
	everyway command.Everyway
	targets  []target

	mu       sync.Mutex
	binaries map[string]*binary
	searches map[string][]command.Target // by package and flags
}

// A target is a test or a fuzz target with a bug.
type target struct {
	pkg, name string // the package is a directory of the module
	set       set
}

// A set is where targets are from.
type set string

const (
	examples set = "examples"
	found    set = "examples/found"
	kernels  set = "leak kernels"
)

var sets = []set{examples, found, kernels}

func (t target) String() string { return t.pkg + "." + t.name }

func (t target) hasInput() bool { return strings.HasPrefix(t.name, "Fuzz") }

// newModule copies the tests below a directory, and lists them.
func newModule(ctx context.Context, work string) (*module, error) {
	m := &module{
		dir: filepath.Join(work, "module"), adapted: map[string]string{},
		binaries: map[string]*binary{}, searches: map[string][]command.Target{},
	}
	var err error
	if m.everyway, err = command.Build(ctx, work); err != nil {
		return nil, err
	}
	packages, err := copyTests(m.dir)
	if err != nil {
		return nil, err
	}
	leaking, err := copyKernels(m.dir, filepath.Join(work, "kernels"), packages)
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(packages))
	for i := range adapters {
		a := &adapters[i]
		m.adapted[a.name] = filepath.Join(work, a.name)
		if err := a.apply(ctx, m.adapted[a.name], m.dir, names); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		out, err := goCommand(ctx, m.dir, "test", "-list", ".", "./"+name).Output()
		if err != nil {
			return nil, fmt.Errorf("listing the tests of %s: %w", name, err)
		}
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSpace(line)
			if (strings.HasPrefix(line, "Test") || strings.HasPrefix(line, "Fuzz")) && (packages[name] != kernels || leaking[line]) {
				m.targets = append(m.targets, target{name, line, packages[name]})
			}
		}
	}
	slices.SortFunc(m.targets, func(a, b target) int { return strings.Compare(a.String(), b.String()) })
	return m, nil
}

// copyTests makes a module of examples/found and the examples. It returns its packages.
func copyTests(dir string) (map[string]set, error) {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("examples", "found"))); err != nil {
		return nil, fmt.Errorf("copying the tests: %w", err)
	}
	tests, err := filepath.Glob(filepath.Join(dir, "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	packages := map[string]set{}
	for _, file := range tests {
		packages[filepath.Base(filepath.Dir(file))] = found
	}
	for _, name := range []string{"addall", "art", "bluetooth", "quota"} {
		if err := copyFiles(filepath.Join(dir, name), filepath.Join("examples", name)); err != nil {
			return nil, err
		}
		packages[name] = examples
	}
	return packages, nil
}

// copyKernels adds the kernels of the leak profile to the module, by way of a directory that is not
// there yet, and their packages to the others. It returns the tests of those that leak.
func copyKernels(dir, by string, packages map[string]set) (leaking map[string]bool, err error) {
	if err := goroot.LeakTests(by); err != nil {
		return nil, fmt.Errorf("the kernels of the leak profile: %w", err)
	}
	all, err := goroot.LeakKernels()
	if err != nil {
		return nil, fmt.Errorf("the test of the leak profile: %w", err)
	}
	leaking = map[string]bool{}
	for _, k := range all {
		leaking["Test"+k.Name] = len(k.Leaks) > 0
	}
	tests, err := filepath.Glob(filepath.Join(by, "*", "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range tests {
		name := filepath.Base(filepath.Dir(file))
		if err := copyFiles(filepath.Join(dir, name), filepath.Dir(file)); err != nil {
			return nil, err
		}
		packages[name] = kernels
	}
	return leaking, nil
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
