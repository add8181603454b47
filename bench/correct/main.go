// Correct looks for findings where there should be none: in the concurrent tests of packages of the
// standard library, and of concurrent containers, caches, queues and pools in well-known modules.
// Every finding is a bug of the program or of its test, or a defect of everyway. It writes
// docs/correct.md.
//
//	go run ./bench/correct [-results file] [-run regexp] [-o file]
//
// What is looked at is listed in subjects.txt. Of each, the tests are recorded in the machine, all
// detectors that everyway race has by default look at the schedules, and so they do at those of
// native runs; the tests that start goroutines are searched, -targets of them. With -results the
// measurement can be broken off and gone on with. What is known of findings is said in
// bench/internal/modules/failures.txt.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/everyway-go/everyway/bench/internal/command"
	"github.com/everyway-go/everyway/bench/internal/journal"
	"github.com/everyway-go/everyway/bench/internal/modules"
	"github.com/everyway-go/everyway/bench/internal/table"
)

//go:embed subjects.txt
var subjectsText string

// options say how the subjects are looked at.
type options struct {
	everyway command.Everyway
	budget   time.Duration // to search a target
	targets  int           // that are searched of a subject, and recorded natively
	step     time.Duration // to record the tests of a subject, in the machine and natively
	analysis time.Duration // to look at a schedule
}

func main() {
	var o options
	pattern := flag.String("run", "", "only the subjects whose path matches this `regexp`")
	results := flag.String("results", "", "a `file` for results, of which those that are there already are not made again")
	page := flag.String("o", "", "write the page to `file`")
	everyway := flag.String("everyway", "", "the `command` that is looked at, instead of the one in this module")
	flag.DurationVar(&o.budget, "budget", 5*time.Second, "time to search a target")
	flag.IntVar(&o.targets, "targets", 12, "search at most `N` targets of a subject, and record as many natively")
	flag.DurationVar(&o.step, "step", 3*time.Minute, "processor `time` to record the tests of a subject, in the machine and natively")
	flag.DurationVar(&o.analysis, "analysis", 30*time.Second, "time to look at a schedule")
	flag.Parse()
	o.everyway = command.Everyway(*everyway)
	table.Main(func(ctx context.Context) error { return measure(ctx, o, *pattern, *results, *page) })
}

// measure looks at the subjects and writes the page.
func measure(ctx context.Context, o options, pattern, results, page string) error {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	subjects, err := modules.Parse(subjectsText)
	if err != nil {
		return fmt.Errorf("subjects.txt: %w", err)
	}
	known, err := modules.Failures()
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "bench-correct-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if o.everyway == "" {
		if o.everyway, err = command.Build(ctx, work); err != nil {
			return err
		}
	}
	done, err := journal.Open[result](results)
	if err != nil {
		return err
	}
	defer done.Close()
	var all []result
	for _, s := range subjects {
		if !match.MatchString(s.Path) {
			continue
		}
		key := fmt.Sprintf("%v %v %d", s, o.budget, o.targets)
		r, ok := done.Get(key)
		if !ok {
			if r, err = o.look(ctx, s, filepath.Join(work, "src", filepath.FromSlash(s.Path))); err != nil {
				return fmt.Errorf("%v: %w", s, err)
			}
			if err := done.Put(key, r); err != nil {
				return err
			}
		}
		r.Subject = s
		fmt.Println(r.line())
		for _, f := range r.Findings {
			fmt.Printf("\t%s: %s by %s at %s: %s\n", f.Target, f.Kind, f.By, f.Pos, f.Text)
		}
		all = append(all, r)
	}
	if page == "" {
		return nil
	}
	return writePage(page, all, known, o)
}
