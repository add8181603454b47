package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/everyway-go/everyway/internal/strategy/con2colic"
)

// A row is a row of the paper's Table 1.
type row struct {
	name       string
	threads    int
	inputs     int
	branches   int
	byDegree   string
	bug        int // its degree, -1 for none
	reason     string
	candidates int
	seconds    float64
}

var rows = []row{
	{"bluetooth", 3, 2, 24, "14/8/2", 2, fullCov, 282, 0.5},
	{"sor", 3, 0, 48, "37/8/0/0/3", 3, fullCov, 145, 0.6},
	{"ctrace-a", 3, 0, 94, "54/3", 1, maxCov, 28, 0.7},
	{"apache-a", 3, 3, 72, "41/0/1", 2, maxCov, 392, 1.0},
	{"splay", 3, 0, 112, "46/14/4", -1, maxCov, 3501, 6.2},
	{"apache-b", 3, 3, 48, "35/3", 1, maxCov, 22150, 15.4},
	{"aget", 3, 0, 88, "56/0/1", 2, maxCov, 23197, 170.4},
	{"rbtree", 3, 0, 146, "67/22/4/2", -1, maxCov, 77037, 296.3},
	{"pfscan", 3, 2, 130, "92/0/0/0/1", 4, timeout, 3012548, 7200.0},
	{"ctrace-b", 3, 0, 128, "75/5", 1, timeout, 315639, 7200.1},
	{"art2", 3, 2, 8, "7/1", 1, fullCov, 80, 0.3},
	{"art3", 4, 3, 12, "10/1/1", 2, fullCov, 17942, 21.8},
	{"art4", 5, 4, 16, "13/1/1/1", 3, fullCov, 2842066, 197.1},
	{"art5", 6, 5, 20, "16/1/1/1/1", 4, fullCov, 10851573, 741.1},
}

// table1 searches the programs whose names match, and prints our figures with
// the paper's below.
func table1(ctx context.Context, match *regexp.Regexp, budget time.Duration, o con2colic.Options) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\t\tgoroutines\tinputs\tbranches\tby degree\tbug at k\tk reached\tcandidates\truns\ttime\t")
	defer w.Flush() // also after an error
	total, missed := time.Duration(0), 0
	for _, r := range rows {
		if !match.MatchString(r.name) {
			continue
		}
		f, err := one(ctx, r.name, budget, o)
		if err != nil {
			return err
		}
		total += f.time
		fmt.Fprintf(w, "%s\tours\t%d\t%d\t%d\t%s\t%s\t%d (%s)\t%d\t%d\t%.1fs\t%s\n",
			r.name, f.goroutines, f.inputs, f.branches, degrees(f.byDegree), bugAt(f.bug), f.degree, f.reason, f.candidates, f.runs, f.time.Seconds(), strings.Join(f.open, "; "))
		fmt.Fprintf(w, "\tpaper\t%d\t%d\t%d\t%s\t%s\t%s\t%d\t\t%.1fs\t\n",
			r.threads, r.inputs, r.branches, r.byDegree, bugAt(r.bug), "("+r.reason+")", r.candidates, r.seconds)
		if differences := r.compare(f); len(differences) > 0 {
			missed++
			fmt.Fprintf(w, "\t\t%s\n", strings.Join(differences, "; "))
		}
	}
	w.Flush()
	fmt.Printf("%.1fs in all; %d programs with a remark\n", total.Seconds(), missed)
	return nil
}

// compare says where f is not what the row asks for: the program is not
// comparable, or the search did worse than the paper's.
func (r *row) compare(f *figure) []string {
	var list []string
	if f.goroutines != r.threads || f.inputs != r.inputs {
		list = append(list, "not comparable: other goroutines or inputs")
	}
	if f.branches*5 < r.branches*4 || f.branches*5 > r.branches*6 {
		list = append(list, "not comparable: branches differ by more than a fifth")
	}
	if f.bug != r.bug {
		list = append(list, "the bug has another degree")
	}
	if f.candidates > r.candidates {
		list = append(list, "more candidates")
	}
	if f.reason == timeout {
		list = append(list, "not finished")
	}
	return list
}

// degrees shows how many branches each degree was the first to cover, up to
// the last that covered any.
func degrees(n []int) string {
	last := 0
	for k := range n {
		if n[k] > 0 {
			last = k
		}
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(n[:last+1]), " ", "/"), "[]")
}

func bugAt(k int) string {
	if k < 0 {
		return "no"
	}
	return fmt.Sprint(k)
}
