// Modules searches the own tests of well-known modules, beside go test and go test -race on
// the same tests, and writes docs/modules.md.
//
//	go run ./bench/modules [-budget d] [-clock which] [-results file] [-run regexp] [-o file]
//
// The modules and their versions are in modules.txt. Each is downloaded, copied to a
// temporary directory, and searched with -short by a process of its own. With -results the
// measurement can be broken off and gone on with. What is known of failures is said in
// bench/internal/modules/failures.txt, and of modules that are not searched in the table itself.
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

//go:embed modules.txt
var modulesText string

// options say how the modules are searched.
type options struct {
	everyway string        // the command
	budget   time.Duration // for a target
	workers  int
	clock    string        // that measures the budget: "world" or "processor"
	total    time.Duration // for a module, on each side
}

func main() {
	var o options
	pattern := flag.String("run", "", "only the modules whose path matches this `regexp`")
	results := flag.String("results", "", "a `file` for results, of which those that are there already are not made again")
	page := flag.String("o", "", "write the page to `file`")
	flag.StringVar(&o.everyway, "everyway", "", "the `command` that searches, instead of the one in this module")
	flag.DurationVar(&o.budget, "budget", 5*time.Second, "time for a target")
	flag.IntVar(&o.workers, "workers", 1, "number of runs made at the same time")
	flag.StringVar(&o.clock, "clock", "processor", "what measures the budget: world or, so that other work on the computer does not count, processor")
	flag.DurationVar(&o.total, "total", 10*time.Minute, "time for a module, after which what it has given counts")
	flag.Parse()
	table.Main(func(ctx context.Context) error { return measure(ctx, o, *pattern, *results, *page) })
}

// measure searches the modules and writes the page.
func measure(ctx context.Context, o options, pattern, results, page string) error {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	list, err := modules.Parse(modulesText)
	if err != nil {
		return err
	}
	explained, err := modules.Failures()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "everyway-modules")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.everyway == "" {
		built, err := command.Build(ctx, dir)
		if err != nil {
			return err
		}
		o.everyway = string(built)
	}
	done, err := journal.Open[result](results)
	if err != nil {
		return err
	}
	defer done.Close()
	var all []result
	for _, m := range list {
		if !match.MatchString(m.Path) {
			continue
		}
		key := fmt.Sprintf("%s@%s %v %d %s", m.Path, m.Version, o.budget, o.workers, o.clock)
		r, ok := done.Get(key)
		if !ok {
			// Some tests look at the directory that they are in.
			if r, err = o.measure(ctx, m, filepath.Join(dir, "src", filepath.FromSlash(m.Path))); err != nil {
				return fmt.Errorf("%s: %w", m.Path, err)
			}
			if err := done.Put(key, r); err != nil {
				return err
			}
		}
		r.Module = m.Path + "@" + m.Version
		fmt.Println(r.line())
		all = append(all, r)
	}
	if page == "" {
		return nil
	}
	return writePage(page, all, explained, o)
}
