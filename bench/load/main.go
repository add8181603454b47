// Load times how long it takes until a test can be run, and until all tests of a module have
// been, by the go command and by everyway, in turns. It compares what ten thousand blocked
// goroutines take in memory.
//
//	go run ./bench/load [time] [tests] [memory]
//
// What the go command has compiled before is in its cache. "changed" compiles the test
// package again and links, since the test was edited; "unchanged" links only. Ours is the
// same for both. "tests" times all tests of a module that has fifty trivial ones with testify,
// which it gets from the module proxy.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
)

const (
	repeats = 9 // of which the medians count
	typical = "./bench/load/testdata/typical"
	blocked = "./bench/load/testdata/blocked"
)

func main() { table.Main(measure) }

func measure(ctx context.Context) error {
	tmp, err := os.MkdirTemp("", "bench-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, part := range []struct {
		name string
		run  func(ctx context.Context, tmp string) error
	}{{"time", loading}, {"tests", tests}, {"memory", memory}} {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], part.name) {
			continue
		}
		if err := part.run(ctx, tmp); err != nil {
			return err
		}
	}
	return nil
}

// A row is one thing that is timed.
type row struct {
	name      string
	run       func() (cpu time.Duration, err error)
	wall, cpu []time.Duration
}

// loading prints the table of times.
func loading(ctx context.Context, tmp string) error {
	tool, err := build(ctx, tmp)
	if err != nil {
		return err
	}
	edited := filepath.Join(tmp, "edited_test.go")
	source, err := os.ReadFile(filepath.Join(typical, "typical_test.go"))
	if err != nil {
		return err
	}
	overlay := filepath.Join(tmp, "overlay.json")
	original, err := filepath.Abs(filepath.Join(typical, "typical_test.go"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(overlay, fmt.Appendf(nil, `{"Replace":{%q:%q}}`, original, edited), 0o666); err != nil {
		return err
	}
	edits := 0
	command := func(name string, args ...string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			cmd := exec.CommandContext(ctx, name, args...)
			out, err := cmd.CombinedOutput()
			if err != nil {
				return 0, fmt.Errorf("%s %v: %w\n%s", name, args, err, out)
			}
			return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
		}
	}
	binary := filepath.Join(tmp, "typical.test")
	changed := command("go", "test", "-c", "-overlay", overlay, "-o", binary, typical)
	rows := []*row{
		{name: "go test -c, changed", run: func() (time.Duration, error) {
			edits++
			text := fmt.Appendf(source, "\nconst edited = %d%d\n", time.Now().UnixNano(), edits)
			if err := os.WriteFile(edited, text, 0o666); err != nil {
				return 0, err
			}
			return changed()
		}},
		{name: "go test -c, unchanged", run: command("go", "test", "-c", "-o", binary, typical)},
		{name: "everyway, one run", run: command(tool, "test", "-runs", "1", typical)},
	}
	return compare(rows, repeats, "over go, changed")
}

// build builds everyway in tmp.
func build(ctx context.Context, tmp string) (tool string, err error) {
	tool = filepath.Join(tmp, "everyway")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", tool, "./cmd/everyway").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building everyway: %w\n%s", err, out)
	}
	return tool, nil
}

// compare times the rows in turns and prints a table. Ratios are to the first row.
func compare(rows []*row, repeats int, over string) error {
	for range repeats {
		for _, r := range rows {
			start := time.Now()
			cpu, err := r.run()
			if err != nil {
				return err
			}
			r.wall, r.cpu = append(r.wall, time.Since(start)), append(r.cpu, cpu)
		}
	}
	t := table.New(os.Stdout, "", "time", over, "CPU", over)
	for _, r := range rows {
		t.Row(r.name, table.Median(r.wall).Round(time.Millisecond), ratio(r.wall, rows[0].wall),
			table.Median(r.cpu).Round(time.Millisecond), ratio(r.cpu, rows[0].cpu))
	}
	return t.Flush()
}

func ratio(a, b []time.Duration) string {
	return fmt.Sprintf("%.2f", table.Median(a).Seconds()/table.Median(b).Seconds())
}

// boot returns a machine at the start of the program's main function.
func boot(ctx context.Context, pkg string) (*vm.Machine, error) {
	p, err := program.Load(ctx, ".", []string{pkg}, nil, true)
	if err != nil {
		return nil, err
	}
	target := p.Targets()[0]
	m := vm.New(p.NewCode(nil), expr.NewArena(), run.NewNames(), run.Settings{})
	if _, err := m.Boot(ctx, vm.Entry{Inits: []*ssa.Package{target.Package.SSA}, Func: target.Func}); err != nil {
		return nil, err
	}
	return m, nil
}
