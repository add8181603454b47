package covered

import (
	"context"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/everyway-go/everyway/internal/cover"
	"github.com/everyway-go/everyway/internal/instrument/overlay"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/sample"
)

// TestPrograms builds programs that keep to sets of schedules which are given by hand, and runs them. An archive in testdata has a
// module, the set, in which <<12 mu.Lock^(>> is the place on line 12 of main.go that ^ is before in this text, and
// runs: in each line the flags of Options, the input, as in EVERYWAY_INPUT, and, after =>, the exit code and what the output is to
// have, in which \n stands for a line break.
func TestPrograms(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(err, "no archives")
	}
	for _, name := range sample.From(archives, 1, 1) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
				write(t, filepath.Join(dir, f.Name), f.Data)
			}
			set, err := cover.Read(strings.NewReader(placed(t, files["set"], files["main.go"])))
			if err != nil {
				t.Fatal(err)
			}
			built := map[string]string{}
			for line := range strings.Lines(files["runs"]) {
				left, right, ok := strings.Cut(strings.TrimSpace(line), "=>")
				if !ok {
					t.Fatalf("no => in %s", line)
				}
				flag, input, _ := strings.Cut(strings.TrimSpace(left), " ")
				code, want, _ := strings.Cut(strings.TrimSpace(right), " ")
				if built[flag] == "" {
					built[flag] = filepath.Join(dir, "program-"+flag)
					if refused := build(t, dir, built[flag], set, Options{Allow: flag == "allow"}); refused != "" {
						if code != "refused" || !strings.Contains(refused, want) {
							t.Errorf("refused: %s", refused)
						}
						return
					}
				}
				for range sample.Size(1000, 10, 5) {
					cmd := exec.Command(built[flag])
					cmd.Env = append(os.Environ(), "EVERYWAY_INPUT="+input)
					out, _ := cmd.CombinedOutput()
					if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != code || !strings.Contains(string(out), strings.ReplaceAll(want, `\n`, "\n")) {
						t.Fatalf("%s: exit code %s and output\n%s", line, got, out)
					}
				}
			}
		})
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// placed replaces the places in a set.
func placed(t *testing.T, set, source string) string {
	lines := strings.Split(source, "\n")
	return regexp.MustCompile(`<<(\d+) (.*?)\^(.*?)>>`).ReplaceAllStringFunc(set, func(s string) string {
		number, text, _ := strings.Cut(s[2:len(s)-2], " ")
		before, after, _ := strings.Cut(text, "^")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		i := strings.Index(lines[n-1], before+after)
		if i < 0 {
			t.Fatalf("line %d is %q, without %s", n, lines[n-1], before+after)
		}
		return fmt.Sprintf(`"main.go:%d:%d"`, n, i+len(before)+1)
	})
}

// build builds the program in dir, or says why it is refused.
func build(t *testing.T, dir, binary string, set *cover.Set, o Options) (refused string) {
	t.Helper()
	loaded, err := load.Load(context.Background(), load.Config{Dir: dir, Patterns: []string{"."}, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	w := overlay.NewWriter(filepath.Join(dir, "copies"), overlay.Toolchain{GOROOT: strings.TrimSpace(string(out)), GoMod: filepath.Join(dir, "go.mod")})
	_, err = Write(w, &Program{
		Fset: loaded.Fset, Sizes: loaded.Sizes, Packages: loaded.All, Main: loaded.Packages[0], Read: loaded.Sources.Read,
		Position: func(pos token.Pos) string {
			return strings.TrimPrefix(loaded.Fset.Position(pos).String(), dir+string(filepath.Separator))
		},
	}, set, o)
	if r, ok := err.(*RefusedError); ok {
		return r.Why
	}
	if err != nil {
		t.Fatal(err)
	}
	source, err := w.Source()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append(append([]string{"build", "-o", binary}, source.Flags...), ".")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return ""
}
