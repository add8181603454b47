package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"github.com/everyway-go/everyway/internal/strategy/con2colic"
)

// A setting is a row of the paper's Table 2: which optimisations are on, and
// what came of it.
type setting struct {
	unsatCore, priority, duplicates bool
	bug                             string // seconds to the assertion violation
	degree                          int    // highest degree explored
	end                             string
}

var settings = []setting{
	{true, true, true, "4554", 4, "7200 (timeout)"},
	{false, true, true, "-", 2, "7200 (timeout)"},
	{true, false, true, "6701", 4, "7200 (timeout)"},
	{true, true, false, "-", 3, "7200 (timeout)"},
	{false, false, true, "-", 2, "7200 (timeout)"},
	{false, true, false, "-", 2, "out of memory"},
	{true, false, false, "-", 3, "7200 (timeout)"},
	{false, false, false, "-", 2, "out of memory"},
}

// table2 searches pfscan with each setting and prints our figures beside the
// paper's.
func table2(ctx context.Context, budget time.Duration) error {
	w := tabwriter.NewWriter(os.Stdout, 11, 0, 1, ' ', 0)
	fmt.Fprintln(w, "U\tP\tD\tto the bug\tpaper\tk\tpaper\tcandidates\tto the end\tpaper\t")
	for _, s := range settings {
		o := con2colic.Default(maxDegree)
		o.UnsatCore, o.Priority, o.Duplicates = s.unsatCore, s.priority, s.duplicates
		f, err := one(ctx, "pfscan", budget, o)
		if err != nil {
			return err
		}
		bug := "-"
		if f.bug >= 0 {
			bug = fmt.Sprintf("%.1fs", f.bugAfter.Seconds())
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%.1fs (%s)\t%s\t\n",
			onOff(s.unsatCore), onOff(s.priority), onOff(s.duplicates),
			bug, s.bug, f.degree, s.degree, f.candidates, f.time.Seconds(), f.reason, s.end)
		w.Flush()
	}
	return nil
}

func onOff(on bool) string {
	if on {
		return "+"
	}
	return "-"
}
