package vm_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/vmtest"
)

// synctestExceptions are the tests of synctest's suite for which the machine is
// meant to say something else, and why.
var synctestExceptions = map[string]string{
	"TestMallocs":              "too long",
	"TestReflectFuncOf":        "too long",
	"TestWaitGroupManyBubbles": "too long",
	"TestTimerNondeterminism":  "some schedules are the same a thousand times",
	"TestSleepNondeterminism":  "likewise",
	// Their findings are leaks: goroutines that stay blocked in a bubble that is over.
	"TestDeadlockRoot":   "leak",
	"TestDeadlockChild":  "leak",
	"TestDeadlockTicker": "leak",
}

// The tests of package internal/synctest pass in the machine, under any of a few
// schedules. Those that want a fatal error, for which they start a process, find it,
// and those of the race detector find the races that are in their names.
func TestSynctestSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a suite")
	}
	dir := filepath.Join(runtime.GOROOT(), "src/internal/synctest")
	file := filepath.Join(dir, "synctest_test.go")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip("this Go installation comes without its tests: ", err)
	}
	const starts = `if os.Getenv("GO_WANT_HELPER_PROCESS") == "1" {`
	if !bytes.Contains(text, []byte(starts)) {
		t.Fatalf("%s does not have %s", file, starts)
	}
	files := map[string][]byte{}
	files[file] = bytes.Replace(text, []byte(starts), []byte(`println("want:", want); if os.Args != nil {`), 1)
	// The race detector's tests of bubbles, too: only GOROOT's packages can import this one.
	races, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src/runtime/race/testdata/synctest_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	files[filepath.Join(dir, "race_test.go")] = bytes.Replace(races, []byte("package race_test"), []byte("package synctest_test"), 1)
	r, prog := loadTargets(t, load.Config{Dir: dir, Overlay: files})
	settings := run.Settings{Limits: run.Limits{Instructions: 1e8, Depth: 10000}}
	var m *runner
	passed := 0
	for _, target := range r.Targets() {
		name := target.Name
		why, exception := synctestExceptions[name]
		if strings.HasPrefix(why, "too long") {
			continue
		}
		if m == nil {
			m = newRunner(t, prog, vmtest.Target(r, &target), settings)
		} else {
			m.retarget(t, r, &target)
		}
		race := false
		for seed := range uint64(5) {
			var sched run.Scheduler = run.NonPreemptive{}
			if seed > 0 {
				sched = run.Random(seed)
			}
			trace, _ := m.run(t, &run.Plan{}, sched)
			_, want, fatal := strings.Cut(m.out.String(), "want: ")
			found := ""
			for _, f := range check.Judge(trace) {
				switch {
				case f.Kind == check.Race && strings.HasPrefix(name, "TestRace"):
					race = true
				case why != string(f.Kind):
					found += f.Message + "\n"
				}
			}
			switch {
			case fatal:
				if want, _, _ := strings.Cut(want, "\n"); !strings.Contains(found, want) {
					t.Errorf("%s: found %q, want %q", name, found, want)
				}
			case trace.Outcome != run.Finished && trace.Outcome != run.Failed:
				t.Errorf("%s: %v: %s", name, trace.Outcome, trace.Message)
			case found != "" && !(exception && why != "leak"):
				t.Errorf("%s: found %s", name, found)
			}
		}
		if race != strings.HasPrefix(name, "TestRace") {
			t.Errorf("%s: no race", name)
		}
		passed++
	}
	if passed < 30 {
		t.Errorf("only %d tests were run", passed)
	}
	t.Log(passed, "tests")
}
