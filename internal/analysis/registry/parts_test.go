package registry

import (
	"fmt"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/internal/analysis/analysistest"
	"github.com/everyway-go/everyway/schedule"
)

// TestParts checks that the memory of detectors that need no windows is bounded by parts of the
// schedule, which the report says, and that all find the race within a part.
func TestParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("g0 new o1 memory 0 - 0 -\n")
	for g := 1; g <= 30; g++ {
		fmt.Fprintf(&b, "g0 fork g%d -\ng%d begin\ng%[1]d acq o1.1 mutex\ng%[1]d write o1.2 - -\ng%[1]d rel o1.1\ng%[1]d write o1.0 - -\ng%[1]d end\n", g, g)
	}
	for _, d := range Detectors() {
		for _, memory := range []int64{0, 2048} {
			r, err := schedule.NewReader(strings.NewReader(analysistest.Text(b.String())), "parts.schedule")
			if err != nil {
				t.Fatal(err)
			}
			report, err := analysis.Run(t.Context(), r, []analysis.Info{d}, analysis.Limits{Memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			parted := d.Name == "shb" || d.Name == "wcp" || d.Name == "syncp" || d.Name == "osr"
			if parted && memory != 0 {
				if len(report.Parts) != 1 || report.Parts[0].Detector != d.Name || report.Parts[0].Number < 3 {
					t.Errorf("%s: parts %v, want some", d.Name, report.Parts)
				}
			} else if report.Parts != nil {
				t.Errorf("%s with %d bytes: parts %v, want none", d.Name, memory, report.Parts)
			}
			if parted && len(report.Findings) == 0 {
				t.Errorf("%s with %d bytes: no race is found", d.Name, memory)
			}
		}
	}
}
