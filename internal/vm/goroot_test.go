package vm_test

import (
	"bytes"
	_ "embed"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// gorootList names programs of the Go distribution's own tests, in GOROOT/test: a
// sample of those that bench/conformance runs.
//
//go:embed testdata/goroot.txt
var gorootList string

// goStatement finds programs with go statements.
var goStatement = regexp.MustCompile(`(?m)^\s*go (func\b|\w+[(.])`)

// Programs of GOROOT/test print what they print natively, do the same again when their
// plan is carried out again after a run that was broken off, and end as well under
// random schedules.
func TestGoroot(t *testing.T) {
	root := filepath.Join(runtime.GOROOT(), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skip("this Go installation comes without its tests: ", err)
	}
	var files []string
	for line := range strings.Lines(gorootList) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") {
			files = append(files, filepath.Join(root, name+".go"))
		}
	}
	files = sample.Each(files, 60, 4)
	p, err := vmtest.LoadPrograms(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, ".go")
		t.Run(strings.TrimPrefix(name, root+string(filepath.Separator)), func(t *testing.T) {
			want, err := os.ReadFile(name + ".out")
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			startGoroot(t, p, file).run(t, string(want), goStatement.Match(src))
		})
	}
}

// A gorootProgram is a program at the start of its main function.
type gorootProgram struct {
	m    *vm.Machine
	out  bytes.Buffer
	boot string // what initialisers have printed
}

func startGoroot(t *testing.T, all *vmtest.Programs, file string) *gorootProgram {
	t.Helper()
	p := new(gorootProgram)
	p.m = all.Boot(t, file, &p.out, run.Limits{Instructions: 1 << 30})
	p.m.Stall = run.AnyStall // vmtest.Patient has them wait
	p.boot = p.out.String()
	return p
}

// run runs the program in all the ways that TestGoroot wants.
func (p *gorootProgram) run(t *testing.T, want string, spawns bool) {
	looking := &vmtest.Interruption{Context: t.Context()}
	once := func(plan *run.Plan, sched run.Scheduler) *run.Trace {
		t.Helper()
		p.out.Reset()
		p.out.WriteString(p.boot)
		trace, err := p.m.Run(looking, plan, &vmtest.Patient{Scheduler: sched})
		if err != nil {
			t.Fatal(err)
		}
		if trace.Outcome != run.Finished && trace.Outcome != run.Stopped {
			t.Errorf("outcome %v: %s %v", trace.Outcome, trace.Message, check.Judge(trace))
		}
		compareLines(t, p.out.String(), want)
		return trace
	}
	digest := func(trace *run.Trace) string {
		t.Helper()
		d, err := vmtest.Digest(p.m, trace, p.out.String())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}

	before := looking.Calls()
	first := once(&run.Plan{Record: true}, new(run.Fair))
	plan := &run.Plan{Prefix: slices.Clone(first.Decisions), Record: true}
	looks := looking.Calls() - before
	wanted := digest(first)
	// Breaking off in the middle of it, in time and in decisions.
	half := &vmtest.Interruption{Context: t.Context(), After: 1 + looks/2}
	_, _ = p.m.Run(half, plan, vmtest.Stop{}) // fails, if the run looks at its context at all
	_, err := p.m.Run(t.Context(), &run.Plan{Prefix: plan.Prefix[:len(plan.Prefix)/2], Record: true}, vmtest.Stop{})
	if err != nil {
		t.Fatal(err)
	}
	if got := digest(once(plan, run.NonPreemptive{})); got != wanted {
		t.Error("trace or state differ when the plan is carried out again after runs that were broken off")
	}
	if spawns {
		for seed := range uint64(3) {
			once(&run.Plan{}, run.Random(seed))
		}
	}
}
