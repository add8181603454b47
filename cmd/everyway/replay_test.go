package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/everyway-go/everyway/internal/sample"
)

// searches are commands in the modules of testdata/layouts.txtar, each of which finds something.
var searches = []struct {
	dir  string
	args string   // for a shell
	env  []string // of this command, but not of those that it prints
	runs int      // that are found
}{
	{dir: "m", args: "-all ./...", runs: 11},
	{dir: "m", args: "./x", runs: 6},
	{dir: "m/x", args: "", runs: 6},
	{dir: "m/x", args: "-run TestSub/a", runs: 1},
	{dir: "m/x", args: "../deadlock", runs: 1},
	{dir: "m/x", args: `"$PWD/../deadlock"`, runs: 1},
	{dir: "m", args: "-race -short ./deadlock ./deep/down/like-testdata", runs: 2},
	{dir: "m/together", args: "", runs: 2},
	{dir: "m/together", args: "-run 'TestA|TestB'", runs: 2},
	{dir: "m", args: "./program", runs: 1},
	{dir: "m/program", args: "-func main . -args 'two words'", runs: 1},
	{dir: "m", args: "-func Parse ./x", runs: 1},
	{dir: "m/x", args: "-func V.M", runs: 1},
	{dir: "m", args: "-func V.M example.com/m/x", runs: 1},
	{dir: "m/deadlock", args: "deadlock_test.go", runs: 1},
	{dir: "m", args: "-tags tagged ./tags", runs: 1},
	{dir: "m", args: "./tags", env: []string{"GOFLAGS=-tags=tagged"}, runs: 1},
	{dir: "m", args: "./x", env: []string{"CGO_ENABLED=0"}, runs: 6},

	{dir: ".", args: "-C m ./deadlock", runs: 1},
	{dir: ".", args: "-C 'it is' ./...", runs: 1},
	{dir: "m", args: "-o ../'its a' ./deadlock ./x", runs: 7},
	{dir: "m", args: `-o "it's" ./deadlock`, runs: 1},
	{dir: "m", args: "-C x -o ./-out", runs: 6},
	{dir: "m", args: "-C x -o -out", runs: 6},
	{dir: "m", args: "-o ~ ./deadlock", runs: 1},
	{dir: "it is/a 'module'", args: "./...", runs: 1},

	{dir: "workspace", args: "./one/... ./two/...", runs: 3},
	{dir: "workspace", args: "-o out ./one/... ./two/...", runs: 3},
	{dir: "workspace/one", args: "./...", runs: 1},
	{dir: "workspace/one", args: "../two/...", runs: 2},
	{dir: "workspace/two", args: "./... ../one/p", runs: 3},
	{dir: "workspace/two/p", args: "example.com/one/p example.com/two/p", runs: 2},
	{dir: "workspace/one", args: "./...", env: []string{"GOWORK=off"}, runs: 1},

	{dir: "nested", args: "./...", runs: 1},
	{dir: "nested/module", args: "./...", runs: 1},
	{dir: "nested", args: "-C module ./...", runs: 1},

	{dir: "vendored", args: "./...", runs: 1},
	{dir: "vendored/v", args: "-func F example.com/dependency", runs: 1},
	{dir: "vendored", args: "-func G example.com/dependency/sub", runs: 1},
	{dir: "replaced", args: "-func F example.com/dependency", runs: 1},
	{dir: "m", args: "-func EncodeRune unicode/utf8", runs: 1},
}

var (
	// printedFinding matches the head of a finding: its name, and what was found.
	printedFinding = regexp.MustCompile(`(?m)^--- FAIL: (.*) \(.*\)\n(    .*)$`)
	// printedReplay matches the command that is printed below it.
	printedReplay = regexp.MustCompile(`(?m)^    replay  (.*)$`)
)

// TestPrintedReplays has a shell run each command that a search prints, in the directory where
// it was printed: it shows the same finding, and says that nothing has changed.
func TestPrintedReplays(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/layouts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	caches := goEnv(t, "GOCACHE", "GOMODCACHE")
	for _, search := range sample.Each(searches, 16, 5) {
		t.Run(search.dir+" "+search.args, func(t *testing.T) {
			t.Parallel()
			root := extract(t, archive)
			dir := filepath.Join(root, search.dir)
			// Nothing is kept, and the home directory is that of the modules.
			shell := func(command string, env ...string) (stdout, stderr string, code int) {
				cmd := exec.Command("sh", "-c", command)
				cmd.Dir = dir
				cmd.Env = append(append(os.Environ(), caches...), "HOME="+root, "PWD="+dir)
				cmd.Env = append(cmd.Env, env...)
				var out, errs strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &errs
				cmd.Run() // with an error: something was found
				return out.String(), errs.String(), cmd.ProcessState.ExitCode()
			}
			stdout, stderr, code := shell("everyway test -budget 1h -workers 1 "+search.args, search.env...)
			if code != exitFails {
				t.Fatalf("exit code %d\n%s\n%s", code, stdout, stderr)
			}
			findings := printedFinding.FindAllStringSubmatch(stdout, -1)
			replays := printedReplay.FindAllStringSubmatch(stdout, -1)
			if len(findings) != search.runs || len(replays) != search.runs {
				t.Fatalf("%d findings, %d commands, want %d:\n%s", len(findings), len(replays), search.runs, stdout)
			}
			files := map[string]bool{}
			for i, f := range findings {
				name, shown, command := f[1], f[2], replays[i][1]
				if files[command] {
					t.Errorf("%s is printed twice", command)
				}
				files[command] = true
				stdout, stderr, code := shell(command)
				again := printedFinding.FindStringSubmatch(stdout)
				// With several packages a name has its package before it.
				if again == nil || !strings.HasSuffix(name, again[1]) || again[2] != shown {
					t.Errorf("%s: want\n%s\n%s\ngot\n%s\n%s", command, name, shown, stdout, stderr)
				}
				if code != exitFails || stderr != "" || strings.Contains(stdout, " open: ") {
					t.Errorf("%s: exit code %d\n%s\n%s", command, code, stdout, stderr)
				}
			}
		})
	}
}

// extract writes the files of an archive to a temporary directory.
func extract(t *testing.T, archive *txtar.Archive) string {
	root := t.TempDir()
	for _, f := range archive.Files {
		path := filepath.Join(root, f.Name)
		err := cmp.Or(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, f.Data, 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}
