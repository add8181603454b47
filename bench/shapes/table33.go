package main

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"github.com/everyway-go/everyway/bench/internal/table"
)

// table33 is Table 3.3 of the thesis: "# of paths explored and data structure shapes generated", by GKLEE and DSGEN.
var table33 = []struct {
	container     string
	ops           []string
	shapes, paths [2]int
}{
	{"btree", []string{"Insert", "Search"}, [2]int{1, 1629}, [2]int{126, 2667}},
	{"hamt", []string{"Insert", "Search"}, [2]int{1, 122}, [2]int{47, 282}},
	{"rrb", []string{"Get", "Set", "Concat"}, [2]int{1, 16}, [2]int{6, 16}},
	{"skiplist", []string{"Insert", "Search"}, [2]int{1, 130}, [2]int{64, 256}},
}

// combinations searches containers under one schedule, and under all, and counts the pairs of paths
// that goroutines can take in the same shape.
func (b *bench) combinations(ctx context.Context, match *regexp.Regexp) error {
	t := table.New(os.Stdout, "operation", "GKLEE: shapes", "paths", "DSGEN: shapes", "paths", "three keys: paths", "runs", "any shape: runs", "shapes", "alone: shapes", "pairs of paths", "integrated")
	for _, row := range table33 {
		c := &container{b.root, row.container}
		for i, op := range row.ops {
			if !match.MatchString(row.container + "." + op) {
				continue
			}
			cells := []any{row.container + "." + op, "", "", "", ""}
			if i == 0 {
				cells = []any{row.container + "." + op, row.shapes[0], row.paths[0], row.shapes[1], row.paths[1]}
			}
			for _, search := range [][2]string{{"Default", "generational"}, {"Default", "hyperconcolic"}, {"Any", "hyperconcolic"}} {
				target, err := b.search(ctx, c, op+search[0], nil, "-strategy", search[1])
				if err != nil {
					return err
				}
				for _, f := range target.Findings {
					b.note(c, op+search[0], "there is a %s: %s", f.Kind, f.Message)
				}
				cells = append(cells, fmt.Sprintf("%d (%s)", target.Totals.Runs, target.Totals.Verdict))
				if search[0] == "Any" {
					cells = append(cells, target.Totals.Shapes)
				}
			}
			target, err := b.search(ctx, c, op+"Any", nil, "-strategy", "racing")
			if err != nil {
				return err
			}
			if a := target.Totals.Alone; a != nil {
				cells = append(cells, a.Shapes, a.Combinations, a.Accepted)
			}
			t.Row(cells...)
		}
	}
	return t.Flush()
}
