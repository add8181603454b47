package suite

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/walk"
)

// A Suite is a test package that has been loaded.
type Suite struct {
	Program  *program.Program
	Settings run.Settings  // of the machine; to be set before there is one
	Code     *code.Program // of the machine
	// Summaries, if it is not nil, has summaries that the machine walks in the place of code; likewise.
	Summaries walk.Source

	targets map[string]*load.Target
	machine *vm.Machine
	of      *load.Package // that the machine has initialised
}

// Write writes files, and a go.mod for a module of that name, to dir.
func Write(dir, module string, files map[string]string) error {
	all := map[string]string{"go.mod": "module " + module + "\n\ngo 1.26\n"}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return fmt.Errorf("writing a suite: %w", err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return fmt.Errorf("writing a suite: %w", err)
		}
	}
	return nil
}

// Build compiles the program in dir as the toolchain does, and returns the path of the binary.
func Build(ctx context.Context, dir string) (string, error) {
	binary := filepath.Join(dir, "native")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the programs: %w\n%s", err, out)
	}
	return binary, nil
}

// Load loads the test packages in dir and below. Targets have names of their own.
func Load(ctx context.Context, dir string) (*Suite, error) {
	p, err := program.Load(ctx, dir, []string{"./..."}, nil, true)
	if err != nil {
		return nil, fmt.Errorf("loading a suite: %w", err)
	}
	s := &Suite{Program: p, targets: map[string]*load.Target{}}
	for _, t := range p.Targets() {
		s.targets[t.Name] = &t
	}
	return s, nil
}

// LoadFuncs loads the packages in dir and below for functions that are searched over their
// parameters, as with -func. Their names are unique.
func LoadFuncs(ctx context.Context, dir string, names ...string) (*Suite, error) {
	p, err := program.Load(ctx, dir, []string{"./..."}, nil, false)
	if err != nil {
		return nil, fmt.Errorf("loading a suite: %w", err)
	}
	s := &Suite{Program: p, targets: map[string]*load.Target{}}
	for _, name := range names {
		list, err := p.Select(program.Selection{Func: name})
		if err != nil {
			return nil, fmt.Errorf("loading a suite: %w", err)
		}
		s.targets[name] = &list[0]
	}
	return s, nil
}

// Target returns the target of a name.
func (s *Suite) Target(name string) (*load.Target, error) {
	t, ok := s.targets[name]
	if !ok {
		return nil, fmt.Errorf("no target %s in the suite", name)
	}
	return t, nil
}

// Machine returns the machine of the suite at the start of a target, or a new one for a
// target of another package. It is that target's until Machine is called again. What the
// target prints goes to output.
func (s *Suite) Machine(ctx context.Context, name string, output io.Writer) (*vm.Machine, error) {
	t, err := s.Target(name)
	if err != nil {
		return nil, err
	}
	entry, err := s.Program.Entry(t)
	if err != nil {
		return nil, err
	}
	if s.machine != nil && s.of == t.Package {
		s.machine.Output = output
		if err := s.machine.Retarget(entry); err != nil {
			return nil, fmt.Errorf("starting %s: %w", name, err)
		}
		return s.machine, nil
	}
	s.Code = s.Program.NewCode(func(pkg *ssa.Package) bool { return pkg == t.Package.SSA })
	m := vm.New(s.Code, expr.NewArena(), run.NewNames(), s.Settings)
	m.Output = output
	if s.Summaries != nil {
		m.Summaries = walk.New(&m.State, m, s.Summaries)
	}
	if _, err := m.Boot(ctx, entry); err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	s.machine, s.of = m, t.Package
	return m, nil
}
