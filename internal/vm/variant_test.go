package vm_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
)

// Frames with symbolic values print the same and make the same path condition with
// the code that looks only where they can be, as with code that looks everywhere.
func TestVariants(t *testing.T) {
	var out bytes.Buffer
	m := bootOwn(t, "testdata/variants/main.go", &out, run.Limits{})
	m.MaxLen = 4
	traced := func(input run.Input) string {
		out.Reset()
		trace, err := m.Run(t.Context(), &run.Plan{Input: input}, run.NonPreemptive{})
		if err != nil {
			t.Fatal(err)
		}
		if trace.Outcome != run.Finished {
			t.Fatalf("outcome %v: %s", trace.Outcome, trace.Message)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s%d instructions\n", out.String(), trace.Instructions)
		for _, c := range trace.Path {
			fmt.Fprintf(&b, "%v %v %s\n", c.Site, c.Kind, m.Arena.String(c.Cond))
		}
		return b.String()
	}
	inputs := []run.Input{
		{"x": 3, "len(s)": 2, "s[0]": 'q', "s[1]": 'a'},
		{"x": 1, "len(s)": 2, "s[0]": 'b', "s[1]": 'q'},
		{"x": 5, "len(s)": 2},
		{"x": 0, "len(s)": 2, "s[0]": 'a'},
	}
	var got []string
	for _, input := range inputs {
		got = append(got, traced(input))
	}
	m.General()
	for i, input := range inputs {
		if want := traced(input); got[i] != want {
			t.Errorf("input %v: got\n%s\nwith the general variant\n%s", input, got[i], want)
		}
		if strings.Count(got[i], "\n") < 14 {
			t.Errorf("input %v: too short a path:\n%s", input, got[i])
		}
	}
}
