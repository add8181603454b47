package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/run"
)

// goroutines is the number that testdata/blocked starts.
const goroutines = 10_000

// memory prints what a blocked goroutine takes in memory.
func memory(ctx context.Context, tmp string) error {
	bin := filepath.Join(tmp, "blocked")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bin, blocked).CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", blocked, err, out)
	}
	out, err := exec.CommandContext(ctx, bin).Output()
	if err != nil {
		return fmt.Errorf("running %s: %w", blocked, err)
	}
	native, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return fmt.Errorf("%s prints %q: %w", blocked, out, err)
	}
	m, err := boot(ctx, blocked)
	if err != nil {
		return err
	}
	watch := &weigher{before: inUse()}
	m.Output = watch
	t, err := m.Run(ctx, &run.Plan{}, run.NonPreemptive{})
	if err != nil {
		return err
	}
	if t.Outcome != run.Finished {
		return fmt.Errorf("%s ended with %v: %s", blocked, t.Outcome, t.Message)
	}
	if watch.most == 0 {
		return fmt.Errorf("%s has not printed anything", blocked)
	}
	ours := (watch.most - watch.before) / goroutines
	rows := table.New(os.Stdout, "bytes a blocked goroutine", "native", "everyway", "over native")
	rows.Row(fmt.Sprintf("%d goroutines", goroutines), native, ours, fmt.Sprintf("%.1f", float64(ours)/float64(native)))
	return rows.Flush()
}

// A weigher is the output of the program. It notes the memory in use when the program first
// prints something: all goroutines wait then.
type weigher struct {
	before, most uint64
}

func (w *weigher) Write(p []byte) (int, error) {
	if w.most == 0 {
		w.most = inUse()
	}
	return len(p), nil
}

func inUse() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapInuse + s.StackInuse
}
