package main

import (
	"slices"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/verdict"
)

// quickParsers are targets whose planted condition the search for inputs meets in few
// runs, with a bound on them.
var quickParsers = map[string]int{
	"FuzzAddr":      600,
	"FuzzBase64":    1000,
	"FuzzCSV":       60,
	"FuzzCard":      40,
	"FuzzColour":    40,
	"FuzzConfig":    60,
	"FuzzDate":      100,
	"FuzzDuration":  100,
	"FuzzHex":       80,
	"FuzzJSON":      800,
	"FuzzMediaType": 150,
	"FuzzQuery":     80,
	"FuzzRange":     40,
	"FuzzRecords":   40,
	"FuzzRoman":     40,
	"FuzzSemver":    150,
	"FuzzURL":       150,
	"FuzzUUID":      40,
	"FuzzUnquote":   100,
}

// TestParsers checks that planted conditions are met within a number of runs.
func TestParsers(t *testing.T) {
	prog, err := program.Load(t.Context(), "../..", []string{parserPackage}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	var met []string
	for i := range targets {
		name := targets[i].Name
		runs, quick := quickParsers[name]
		if !quick || testing.Short() && runs > 100 {
			continue
		}
		met = append(met, name)
		t.Run(name, func(t *testing.T) {
			r, err := find(t.Context(), prog, &targets[i], t.TempDir(), search.Config{
				Strategy: "generational", Runs: runs, Budget: time.Hour, Workers: 1,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != verdict.Fails {
				t.Errorf("%v after %d runs: %q", r.Verdict, r.Runs, r.Open)
			}
			t.Log(r.Runs, "runs")
		})
	}
	if want := len(quickParsers); !testing.Short() && len(met) != want {
		slices.Sort(met)
		t.Errorf("only %d targets, want %d: %v", len(met), want, met)
	}
}
