package covering

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/engine/program/programtest"
)

// TestReached has programs that compute for long with most of their inputs. Runs come to each
// schedule, with numbers that are small: the least ones of a range, or those near it, or near zero,
// for which a condition holds.
func TestReached(t *testing.T) {
	const head = "package main\n\nimport (\n\t\"sync\"\n\n\t\"github.com/everyway-go/everyway/sym\"\n)\n\nvar m sync.Mutex\n\nfunc turn(n int) {\n\tfor range n {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t}\n}\n\n" +
		"func compute(n int) (sum int) {\n\tfor i := range n {\n\t\tsum += i\n\t}\n\treturn sum\n}\n\nfunc main() {\n"
	p := programtest.Load(t, nil, map[string]string{
		"beside": head + "\tn, rounds := sym.Range(\"n\", 1, 1<<24), sym.Range(\"rounds\", 1, 7)\n\tprintln(compute(n))\n\tturn(rounds)\n}\n",
		"one":    head + "\tn := sym.Range(\"n\", -3, 1<<24)\n\tprintln(compute(n*100))\n\tturn(n)\n}\n",
		"free":   head + "\tn := sym.Int(\"n\")\n\tif n > 17 {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t\tprintln(compute(n*100))\n\t\tturn(n)\n\t}\n}\n",
	})
	for name, most := range map[string]uint64{"beside": 9, "one": 9, "free": 31} {
		s := search(t, p, name, Config{MaxInstructions: 1_000_000})
		if n := s.unrealised(); n > 0 || !s.Set().Complete() || len(s.Set().Epochs) < 2 {
			t.Errorf("%s: of %d epochs, %d schedules may be infeasible; complete: %t", name, len(s.Set().Epochs), n, s.Set().Complete())
		}
		for i, e := range s.Set().Epochs {
			for k, sc := range e.Schedules {
				if i > 0 && int64(sc.Reached["n"]) > int64(most) {
					t.Errorf("%s: schedule %d of epoch %d is reached with %s", name, k, i, fmt.Sprint(sc.Reached))
				}
			}
		}
	}
}

// TestArguments has programs that read what their arguments name, and are searched with one
// argument. Runs come to each schedule with others. Of a program of which two branches have the
// same condition, they do not come to those schedules in which it has different outcomes.
func TestArguments(t *testing.T) {
	p := programtest.Load(t, []string{"files", "directories"}, map[string]string{
		"twice": "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n\nvar m, n sync.Mutex\n\nfunc main() {\n\tif len(os.Args) > 2 {\n\t\tm.Lock()\n\t}\n\tif len(os.Args) > 2 {\n\t\tn.Lock()\n\t}\n}\n",
		// With no arguments, its initialisation ends the program.
		"exits": "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n\nvar m, n sync.Mutex\n\nvar first = func() string {\n\tif len(os.Args) == 1 {\n\t\tos.Exit(0)\n\t}\n\treturn os.Args[1]\n}()\n\nfunc main() {\n\tprintln(first)\n\tif len(os.Args) > 2 {\n\t\tm.Lock()\n\t}\n\tif len(os.Args) > 2 {\n\t\tn.Lock()\n\t}\n}\n",
		// How far the loops have come is in no condition.
		"letters": "package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n\nvar m, n sync.Mutex\n\nfunc main() {\n\tsum := 0\n\tfor i, r := range os.Args[len(os.Args)-1] {\n\t\tm.Lock()\n\t\tm.Unlock()\n\t\tif sum += i; r == 'e' {\n\t\t\tn.Lock()\n\t\t\tn.Unlock()\n\t\t}\n\t}\n\tprintln(sum)\n}\n",
	})
	p.Args = []string{"."}
	for name, infeasible := range map[string]int{"files": 0, "directories": 0, "twice": 0, "exits": 0, "letters": 1} {
		s := search(t, p, name, Config{})
		if n := s.unrealised(); n != infeasible || !s.Set().Complete() || len(s.Set().Decisions) == 0 {
			t.Errorf("%s: %d schedules may be infeasible, not %d; complete: %t; %d decisions", name, n, infeasible, s.Set().Complete(), len(s.Set().Decisions))
		}
		var b bytes.Buffer
		if err := s.Set().Write(&b); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "    arguments \"") {
			t.Errorf("%s: no schedule is reached with other arguments", name)
		}
	}
}
