// Con2colic runs the examples that the con2colic paper has too, with that
// strategy alone, and prints what they took beside the paper's Table 1 (Farzan,
// Holzer, Razavi, Veith, FSE 2013: a dual-core machine at 3.2 GHz).
//
//	go run ./bench/con2colic
package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"text/tabwriter"
	"time"

	"github.com/everyway-go/everyway/internal/engine"
)

// A row is a program of the paper's Table 1; zero figures are not in it.
type row struct {
	pkg, target string
	candidates  int
	seconds     float64
	degree      int // of the bug
}

var rows = []row{
	{"./examples/addall", "FuzzAddAll", 0, 0, 1},
	{"./examples/bluetooth", "FuzzDevice", 282, 0.5, 2},
	{"./examples/art", "FuzzArt2", 80, 0.3, 1},
	{"./examples/art", "FuzzArt3", 17942, 21.8, 2},
	{"./examples/art", "FuzzArt4", 2842066, 197.1, 3},
	{"./examples/art", "FuzzArt5", 10851573, 741.1, 4},
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "con2colic:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "program\tverdict\tto the bug\tpaper\tratio\tcandidates\tpaper\tratio\truns\tbranches\tby degree\tk of the bug\t")
	programs := map[string]*engine.Program{}
	for _, r := range rows {
		p := programs[r.pkg]
		if p == nil {
			var err error
			if p, err = engine.Load(ctx, ".", []string{r.pkg}, nil, true); err != nil {
				return err
			}
			programs[r.pkg] = p
		}
		targets, err := p.Select(engine.Selection{Fuzz: regexp.MustCompile("^" + r.target + "$")})
		if err != nil {
			return err
		}
		obs := &clock{}
		out, err := os.MkdirTemp("", "con2colic")
		if err != nil {
			return err
		}
		result, err := engine.Search(ctx, p, &targets[0], engine.Config{Strategy: "con2colic", OutDir: out, NoCorpus: true}, obs)
		os.RemoveAll(out)
		if err != nil {
			return err
		}
		degree := "-"
		if len(result.Findings) > 0 {
			degree = fmt.Sprint(lastDegree(result.ByDegree))
		}
		fmt.Fprintf(w, "%s\t%s\t%.2fs\t%s\t%s\t%d\t%s\t%s\t%d\t%d/%d\t%v\t%s (paper %d)\t\n",
			r.target, result.Verdict, obs.found.Seconds(), orDash(r.seconds, "%gs"), ratio(r.seconds, obs.found.Seconds()),
			result.Candidates, orDash(float64(r.candidates), "%.0f"), ratio(float64(r.candidates), float64(result.Candidates)),
			result.Runs, result.Covered, result.Branches, result.ByDegree[:lastDegree(result.ByDegree)+1], degree, r.degree)
	}
	return w.Flush()
}

// lastDegree returns the highest degree that covered a branch: the search ended
// there, with the bug.
func lastDegree(byDegree []int) int {
	k := len(byDegree) - 1
	for k > 0 && byDegree[k] == 0 {
		k--
	}
	return k
}

func orDash(v float64, format string) string {
	if v == 0 {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

func ratio(theirs, ours float64) string {
	if theirs == 0 || ours == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0fx", theirs/ours)
}

// A clock takes the time from the start of a search to its first finding, the
// time to compile and boot the target included.
type clock struct {
	start time.Time
	found time.Duration
}

func (c *clock) Started(pkg, target string)             { c.start = time.Now() }
func (c *clock) Progress(*engine.Result)                {}
func (c *clock) Output(pkg, target string, text []byte) {}
func (c *clock) Ended(*engine.Result)                   {}
func (c *clock) Found(*engine.Result, *engine.Found) {
	if c.found == 0 {
		c.found = time.Since(c.start)
	}
}
