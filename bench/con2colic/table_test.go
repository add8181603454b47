package main

import (
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/strategy/con2colic"
)

// slow are the rows that take more than a second or two.
var slow = map[string]bool{"apache-b": true, "ctrace-b": true}

// TestTable1 checks that the programs are what the paper's are, and that the search
// finds their bugs, finishes and has no more candidates than the paper's.
func TestTable1(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if testing.Short() && r.name != "art2" && r.name != "ctrace-a" || slow[r.name] {
				t.Skip("slow")
			}
			f, err := one(t.Context(), r.name, time.Hour, con2colic.Default(maxDegree))
			if err != nil {
				t.Fatal(err)
			}
			for _, difference := range r.compare(f) {
				t.Errorf("%s: %+v", difference, f)
			}
			if len(f.open) > 0 {
				t.Errorf("open: %q", f.open)
			}
		})
	}
}
