// Std runs the standard library's own tests natively and in the machine, compares
// them test by test, and writes docs/stdtests.md.
//
//	go run ./bench/std [-results file] [-short] [-run regexp] [-o file] [package ...]
//
// Each package is booted once, and each test, example and seed of a fuzz test runs from
// there under one fair schedule. With -results the run can be broken off and gone on with.
// Which differences are expected, and why, is said in reasons.txt; the exit code is 1 when
// another is found, or one of those is not there any more.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/everyway-go/everyway/bench/internal/journal"
)

// packages are those whose tests are run.
var packages = []string{
	"bufio", "bytes", "container/heap", "container/list", "container/ring", "context",
	"encoding/base64", "encoding/binary", "encoding/hex", "encoding/json", "errors", "fmt",
	"hash", "hash/adler32", "hash/crc32", "hash/crc64", "hash/fnv", "hash/maphash", "internal/sync", "io", "io/fs", "iter",
	"log", "log/slog", "maps", "math", "math/big", "math/bits", "math/cmplx", "path", "path/filepath", "reflect",
	"regexp", "regexp/syntax", "slices", "sort", "strconv", "strings", "sync", "sync/atomic",
	"text/template", "text/template/parse", "time", "unicode", "unicode/utf16", "unicode/utf8", "unique", "weak",
}

// options say how the tests are run.
type options struct {
	match        *regexp.Regexp // of names of tests
	short        bool
	instructions uint64        // bound of a test in the machine
	time         time.Duration // likewise
	verbose      bool
}

func main() {
	var o options
	pattern := flag.String("run", "", "only run tests whose name matches this `regexp`, print how they differ and store nothing")
	done := flag.String("results", "", "a `file` for results, of which those that are there already are not made again")
	page := flag.String("o", "", "write the page to `file`, of all packages or those named")
	again := flag.Bool("again", false, "run the tests in the machine again, whatever the results file has")
	flag.BoolVar(&o.short, "short", false, "run with -test.short")
	flag.BoolVar(&o.verbose, "v", false, "tell of each test in the machine, and print what it prints")
	flag.Uint64Var(&o.instructions, "instructions", 1<<34, "`bound` on the instructions of a test in the machine")
	flag.DurationVar(&o.time, "time", 10*time.Minute, "bound on the `time` of a test in the machine")
	flag.Parse()
	var err error
	if o.match, err = regexp.Compile(*pattern); err == nil {
		names := packages
		if flag.NArg() > 0 {
			names = flag.Args()
		}
		if *pattern != "" {
			*done = ""
		}
		err = measure(context.Background(), names, o, *done, *page, *again)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "std:", err)
		os.Exit(1)
	}
}

// run runs the tests of the packages of these names.
func measure(ctx context.Context, names []string, o options, done, page string, again bool) error {
	reasons, err := readReasons()
	if err != nil {
		return err
	}
	results, err := journal.Open[outcomes](done)
	if err != nil {
		return err
	}
	defer results.Close()
	var all []comparison
	unexpected := 0
	for _, name := range names {
		native, ok := results.Get(o.key("native", name))
		if !ok {
			if native, err = runNative(ctx, name, o); err != nil {
				return err
			}
			if err := results.Put(o.key("native", name), native); err != nil {
				return err
			}
		}
		machine, ok := results.Get(o.key("machine", name))
		if !ok || again {
			if machine, err = runMachine(ctx, name, o, reasons); err != nil {
				return err
			}
			if err := results.Put(o.key("machine", name), machine); err != nil {
				return err
			}
		}
		c := compare(name, native, machine, reasons)
		unexpected += c.print(os.Stdout)
		all = append(all, c)
	}
	if page != "" {
		if err := writePage(page, all, o); err != nil {
			return err
		}
	}
	if unexpected > 0 {
		return fmt.Errorf("%d differences from what reasons.txt says", unexpected)
	}
	return nil
}

// key returns the key of a package's results on one side.
func (o *options) key(side, name string) string {
	if o.short {
		side += " short"
	}
	return side + " " + name
}
