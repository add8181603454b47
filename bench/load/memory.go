package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/everyway-go/everyway/internal/vm"
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
	t, err := m.Run(ctx, &vm.Plan{}, watch)
	if err != nil {
		return err
	}
	if t.Outcome != vm.Finished {
		return fmt.Errorf("%s ended with %v: %s", blocked, t.Outcome, t.Message)
	}
	if watch.most == 0 {
		return errors.New("no scheduling point was seen at which all goroutines wait")
	}
	ours := (watch.most - watch.before) / goroutines
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "bytes a blocked goroutine\tnative\teveryway\tover native\t")
	fmt.Fprintf(w, "%d goroutines\t%d\t%d\t%.1f\t\n", goroutines, native, ours, float64(ours)/float64(native))
	return w.Flush()
}

// A weigher notes the memory in use when all goroutines have come to the channel.
type weigher struct {
	vm.RunOn
	before, most uint64
}

func (w *weigher) Choose(p *vm.Point) int {
	if w.most == 0 && len(p.Options) >= goroutines {
		w.most = inUse()
	}
	return w.RunOn.Choose(p)
}

func inUse() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapInuse + s.StackInuse
}
