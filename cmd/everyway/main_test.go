package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/sample"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts")

// TestMain has the test binary stand for the command: in scripts, and for tests that run
// everyway as a process of its own. Those keep nothing.
func TestMain(m *testing.M) {
	if os.Getenv(cache.Variable) == "" {
		os.Setenv(cache.Variable, "off")
	}
	testscript.Main(m, map[string]func(){"everyway": main})
}

func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	// Six parts in a row have all of them; those that are named, or are to be rewritten, are in no sample.
	if named := flag.Lookup("test.run").Value.String(); !strings.Contains(named, "/") && !*update {
		scripts = sample.Each(scripts, (len(scripts)+2)/3, 5)
	}
	env := goEnv(t, "GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOFLAGS")
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Setenv("REPO", repo)
			e.Setenv("RUNS", strconv.Itoa(sample.Size(2, 1, 1))) // with one after a run that was bounded
			e.Setenv(cache.Variable, e.WorkDir+".cache")         // beside it, so that no test sees it
			return nil
		},
	})
}

// exits is a command of scripts: "exits 2 program arguments" is exec that wants an exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [arguments]")
	}
	err := ts.Exec(args[1], args[2:]...)
	exit, ok := errors.AsType[*exec.ExitError](err)
	if err != nil && !ok {
		ts.Fatalf("%v", err)
	}
	got := 0
	if ok {
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// goEnv returns settings of the go command, so that scripts, which have a home
// directory of their own, share the caches.
func goEnv(t *testing.T, names ...string) []string {
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		env = append(env, names[i]+"="+value)
	}
	return env
}
