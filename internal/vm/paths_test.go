package vm_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// domains reads the domains of a function's inputs: words such as s[0]=ab\xff, each
// byte a value, or x=1,-2.
func domains(t *testing.T, notes []string) []run.Input {
	inputs := []run.Input{{}}
	for _, word := range strings.Fields(strings.Join(notes, " ")) {
		name, list, ok := strings.Cut(word, "=")
		if !ok {
			t.Fatalf("no domain: %s", word)
		}
		var values []uint64
		if strings.Contains(list, ",") {
			for number := range strings.SplitSeq(list, ",") {
				v, err := strconv.ParseInt(number, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, uint64(v))
			}
		} else {
			text, err := strconv.Unquote(`"` + list + `"`)
			if err != nil {
				t.Fatalf("%s: %v", list, err)
			}
			for _, c := range []byte(text) {
				values = append(values, uint64(c))
			}
		}
		var longer []run.Input
		for _, in := range inputs {
			for _, v := range values {
				next := maps.Clone(in)
				next[name] = v
				longer = append(longer, next)
			}
		}
		inputs = longer
	}
	return inputs
}

// The path condition of a run says all about the input that matters: all inputs that meet it
// have the same outcome. This is tried with every pair of inputs of the domains that the comments of the
// functions in testdata/concurrent/inputs give ("over:").
func TestPaths(t *testing.T) {
	p := loadFuncs(t, "concurrent/inputs")
	p.eachNoted(t, "over:", 10, func(t *testing.T, r *runner, _ string, notes []string) {
		inputs := domains(t, notes)
		outcomes := make([]string, len(inputs))
		paths := make([][]expr.ID, len(inputs))
		arena := expr.NewArena() // the machine's is cut back by each run
		for i, in := range inputs {
			trace, out := r.run(t, &run.Plan{Input: in}, run.NonPreemptive{})
			outcomes[i] = out
			for _, c := range trace.Path {
				paths[i] = append(paths[i], arena.Copy(r.Arena, c.Cond))
			}
		}
		classes := map[string]bool{}
		for i := range inputs {
			var key strings.Builder
			for _, c := range paths[i] {
				key.WriteString(arena.String(c))
				key.WriteByte('\n')
			}
			if classes[key.String()] {
				continue
			}
			classes[key.String()] = true
			for k := range inputs {
				meets := true
				for _, c := range paths[i] {
					meets = meets && arena.Eval(c, func(v expr.ID) uint64 { return inputs[k][arena.VarName(v)] }) == 1
				}
				switch {
				case i == k && !meets:
					t.Fatalf("a run with %v does not meet its own path condition", inputs[i])
				case meets && outcomes[i] != outcomes[k]:
					t.Fatalf("runs with %v and %v are of one path, but end with\n\t%s\nand\n\t%s", inputs[i], inputs[k], outcomes[i], outcomes[k])
				}
			}
		}
		t.Log(len(inputs), "inputs,", len(classes), "paths")
	})
}
