package registry

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/everyway-go/everyway/internal/analysis"
	"github.com/everyway-go/everyway/schedule"
)

// FuzzDetectors has all detectors look at any bytes. They must not fail at what is no schedule,
// or not a valid one.
func FuzzDetectors(f *testing.F) {
	every, err := os.ReadFile("../../../schedule/testdata/every.schedule.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(every)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := schedule.NewReader(bytes.NewReader(data), "fuzz.schedule")
		if err != nil {
			return
		}
		report, err := analysis.Run(t.Context(), r, Detectors(), analysis.Limits{Window: 100})
		if wrong := (*schedule.SyntaxError)(nil); err != nil && !errors.As(err, &wrong) {
			t.Fatal(err)
		}
		for _, found := range report.Findings {
			if len(found.Sites) == 0 || found.Detector == "" {
				t.Errorf("%+v", found)
			}
		}
	})
}
