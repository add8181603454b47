package registry

import (
	"bytes"
	"flag"
	"fmt"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/internal/doclist"
)

var update = flag.Bool("update", false, "rewrite the list of detectors in the documentation")

// TestDetectors checks that each detector is described, finds the one defect of its kind in a schedule,
// and is not more certain than it says.
func TestDetectors(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Detectors() {
		if d.Name == "" || d.Name == "all" || seen[d.Name] || d.Doc == "" {
			t.Errorf("the name %q is empty or that of two detectors, or it has no description", d.Name)
		}
		seen[d.Name] = true
		found := analysistest.Find(t, d, `
			g0 new o1 memory 0 - 0 -
			g0 new o2 chan 1 - 0 -
			g0 fork g1 -
			g1 begin
			g0 write o1.0 - -
			g1 write o1.0 - -
			g0 acq o1.1 mutex
			g0 acq o1.2 mutex
			g0 rel o1.2
			g0 rel o1.1
			g1 acq o1.2 mutex
			g1 acq o1.1 mutex
			g1 rel o1.1
			g1 rel o1.2
			g0 send o2 - - -
			g1 close o2
			g0 new o3 chan 0 - 0 -
			g0 new o4 chan 0 - 0 -
			g0 fork g2 -
			g2 begin
			g1 send o3 - - -
			@cases <receive o3 receive o4>
			g0 receive o3 - - 0
			g2 close o4
			g0 new o5 memory 0 - 0 mutex
			g1 fork g3 -
			g3 begin
			@time 1
			g3 yield
			g1 semrel o5.3
			@time 20000001
			g3 semacq o5.3
			g3 pending <semacq o5.3>
			g1 end`)
		if len(found) != 1 {
			t.Errorf("%s finds %q", d.Name, found)
		}
		if d.Certainty > analysis.Observed {
			t.Errorf("%s has no certainty", d.Name)
		}
	}
}

// TestDocs checks that the documentation lists the detectors as they are.
func TestDocs(t *testing.T) {
	var want bytes.Buffer
	fmt.Fprintln(&want, "| `-detector` | what it looks for | its findings are |")
	fmt.Fprintln(&want, "|---|---|---|")
	for _, d := range Detectors() {
		fmt.Fprintf(&want, "| `%s` | %s | %v |\n", d.Name, d.Doc, d.Certainty)
	}
	doclist.Check(t, "../../../docs/schedules.md", "detectors", "./internal/analysis/registry", want.Bytes(), *update)
}
