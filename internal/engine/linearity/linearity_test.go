package linearity

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/everyway-go/everyway/internal/disk"
	"github.com/everyway-go/everyway/internal/engine/search"
	"github.com/everyway-go/everyway/internal/linear"
	"github.com/everyway-go/everyway/internal/verdict"
	"github.com/everyway-go/everyway/schedule"
)

// A log is what an observer was told.
type log struct {
	verdict.Quiet
	list []string
}

func (l *log) add(format string, args ...any) { l.list = append(l.list, fmt.Sprintf(format, args...)) }

func (l *log) Started(pkg, target string) { l.add("started %s", target) }

func (l *log) Confirmed(r *verdict.Result, run *schedule.Run) {
	l.add("confirmed %s", run.Finding.Kind)
}

func (l *log) Found(r *verdict.Result, c *verdict.Counterexample) {
	l.add("found %s", c.Run.Finding.Kind)
}

func (l *log) Ended(r *verdict.Result) {
	text := fmt.Sprintf("%s %s", r.Target, r.Verdict)
	if len(r.Open) > 0 && strings.HasPrefix(r.Open[0], notComparable) {
		text += " not comparable"
	}
	l.list = append(l.list, text)
}

func (l *log) Unbegun(pkg, target string) { l.add("unbegun %s", target) }

// TestWithdraw checks that each finding is reported once, whether it comes before or after one
// about a history, and that those about histories are not if they are withdrawn.
func TestWithdraw(t *testing.T) {
	finding := func(kind string) *verdict.Counterexample {
		return &verdict.Counterexample{Run: &schedule.Run{Header: schedule.Header{Finding: &schedule.Finding{Kind: kind}}}}
	}
	for _, test := range []struct {
		name               string
		found              []string // kinds
		released, withdraw string
		back               int // findings that are withdrawn
	}{
		{"none", nil, "T fails", "T open not comparable", 0},
		{"history", []string{"not linearizable"}, "confirmed not linearizable, found not linearizable, T fails", "T open not comparable", 1},
		{"before", []string{"race", "not linearizable"}, "confirmed race, confirmed not linearizable, found race, found not linearizable, T fails",
			"confirmed race, found race, T fails not comparable", 1},
		{"after", []string{"not linearizable", "race", "not linearizable"}, "confirmed not linearizable, confirmed race, confirmed not linearizable, found not linearizable, found race, found not linearizable, T fails",
			"confirmed race, found race, T fails not comparable", 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			observed := func() (*log, *bounded) {
				l := &log{}
				b := &bounded{Observer: l, holds: true}
				r := &verdict.Result{Target: "T", Totals: verdict.Totals{Verdict: verdict.Fails}}
				for _, kind := range test.found {
					r.Counterexamples = append(r.Counterexamples, finding(kind))
				}
				for _, c := range r.Counterexamples {
					b.Confirmed(r, c.Run)
				}
				for _, c := range r.Counterexamples {
					b.Found(r, c)
				}
				b.Ended(r)
				return l, b
			}
			l, b := observed()
			b.release()
			if got := strings.Join(l.list, ", "); got != test.released {
				t.Errorf("released: %s\nwant %s", got, test.released)
			}
			if len(test.found) == 0 {
				return
			}
			l, b = observed()
			if back := b.withdraw("why"); len(back) != test.back || len(b.ended.Counterexamples) != len(test.found)-test.back {
				t.Errorf("%d findings are withdrawn and %d stay", len(back), len(b.ended.Counterexamples))
			}
			if got := strings.Join(l.list, ", "); got != test.withdraw {
				t.Errorf("withdrawn: %s\nwant %s", got, test.withdraw)
			}
		})
	}
}

// box has what is searched: counters that lose what is added at the same time or do not, dice, a
// counter that is random from the fourth call on, one of these that races, too, and a call that
// races with itself.
const box = `package box

import (
	"math/rand/v2"
	"sync/atomic"
)

type Lossy struct{ n atomic.Int32 }

func (l *Lossy) Add() int32 {
	n := l.n.Load() + 1
	l.n.Store(n)
	return n
}

type Counter struct{ n atomic.Int32 }

func (c *Counter) Add() int32 { return c.n.Add(1) }

// A Both has a method that is not linearizable, and one that is.
type Both struct {
	Counter
	lossy Lossy
}

func (b *Both) Lose() int32 { return b.lossy.Add() }

// A Stale gives what it gave before while a Set is being made.
type Stale struct {
	v, last atomic.Int32
	busy    atomic.Bool
}

func (s *Stale) Set() {
	s.busy.Store(true)
	s.v.Add(1)
	s.busy.Store(false)
}

func (s *Stale) Get() int32 {
	if s.busy.Load() {
		return s.last.Load()
	}
	v := s.v.Load()
	s.last.Store(v)
	return v
}

type Dice struct{}

func (d *Dice) Roll() int { return rand.IntN(2) }

type Late struct{ n atomic.Int32 }

func (l *Late) Add() int32 {
	n := l.n.Add(1)
	if n >= 4 {
		n += rand.Int32N(2)
	}
	return n
}

type Racy struct {
	Late
	last int
}

func (r *Racy) Add() int32 {
	r.last++
	return r.Late.Add()
}

type Starter struct{ n int }

func (s *Starter) Start() {
	go func() { s.n = 1 }()
	s.n = 2
}
`

// module writes a module with the types, whose tests cannot be loaded, and returns its directory.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26\n", "box.go": box,
		"box_test.go": "package box\n\nvar _ = nothing\n", "other_test.go": "package box_test\n\nvar _ = nothing\n",
		"two/two.go": "package two\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSearch(t *testing.T) {
	dir := module(t)
	for _, test := range []struct {
		typ, bounds string
		all, long   bool
		total       time.Duration
		want, files string
	}{
		{typ: "*Counter", bounds: "2x1,1+2x1", want: "started FuzzLinear2x1, FuzzLinear2x1 holds, started FuzzLinear1plus2x1, FuzzLinear1plus2x1 holds", files: "FuzzLinear1plus2x1.search FuzzLinear2x1.search"},
		// The second bound is searched only if all are.
		{typ: "*Lossy", bounds: "2x1,2x2", want: "started FuzzLinear2x1, confirmed not linearizable, found not linearizable, FuzzLinear2x1 fails",
			files: "FuzzLinear2x1-not-linearizable.run FuzzLinear2x1.search"},
		{typ: "*Lossy", bounds: "2x1,1+2x1", all: true, want: "started FuzzLinear2x1, confirmed not linearizable, found not linearizable, FuzzLinear2x1 fails, " +
			"started FuzzLinear1plus2x1, confirmed not linearizable, found not linearizable, FuzzLinear1plus2x1 fails",
			files: "FuzzLinear1plus2x1-not-linearizable.run FuzzLinear1plus2x1.search FuzzLinear2x1-not-linearizable.run FuzzLinear2x1.search"},
		// A bound on the methods is searched in parts.
		{typ: "*Stale", bounds: "2x1/1", want: "started FuzzLinear2x1of1, FuzzLinear2x1of1 holds", files: "FuzzLinear2x1of1part1.search FuzzLinear2x1of1part2.search"},
		{typ: "*Both", bounds: "2x1/1,2x1", want: "started FuzzLinear2x1of1, confirmed not linearizable, found not linearizable, FuzzLinear2x1of1 fails",
			files: "FuzzLinear2x1of1part1.search FuzzLinear2x1of1part2-not-linearizable.run FuzzLinear2x1of1part2.search"},
		// What is wrong is only that a call gives what it gave before another one had returned.
		{typ: "*Stale", bounds: "2x1,2x2", long: true, want: "started FuzzLinear2x1, FuzzLinear2x1 holds, started FuzzLinear2x2, confirmed not linearizable, found not linearizable, FuzzLinear2x2 fails",
			files: "FuzzLinear2x1.search FuzzLinear2x2-not-linearizable.run FuzzLinear2x2.search"},
		// That calls are not deterministic is known before any history, or after one.
		{typ: "*Dice", bounds: "2x1,2x2", all: true, want: "started FuzzLinear2x1, FuzzLinear2x1 open not comparable"},
		{typ: "*Late", bounds: "2x2,3x2", all: true, want: "started FuzzLinear2x2, FuzzLinear2x2 open not comparable"},
		// A race is a finding anyway, once.
		{typ: "*Racy", bounds: "2x2,3x2", all: true, long: true, want: "started FuzzLinear2x2, confirmed data race, found data race, FuzzLinear2x2 fails not comparable", files: "FuzzLinear2x2-data-race.run"},
		// What is wrong with calls that are made alone is a finding of theirs.
		{typ: "*Starter", bounds: "2x1", want: "started FuzzLinearAlone, confirmed data race, found data race, FuzzLinearAlone fails", files: "FuzzLinearAlone-data-race.run"},
		{typ: "*Counter", bounds: "2x1,2x2", total: 1, want: "unbegun FuzzLinear2x1, unbegun FuzzLinear2x2"},
	} {
		t.Run(fmt.Sprintf("%s %s %t %v", test.typ, test.bounds, test.all, test.total), func(t *testing.T) {
			if test.long && testing.Short() {
				t.Skip("many runs")
			}
			var bounds []linear.Bound
			for text := range strings.SplitSeq(test.bounds, ",") {
				b, err := linear.ParseBound(text)
				if err != nil {
					t.Fatal(err)
				}
				bounds = append(bounds, b)
			}
			tests, err := Load(t.Context(), Config{Dir: dir, Package: ".", Type: test.typ, Bounds: bounds})
			if err != nil {
				t.Fatal(err)
			}
			tests.Program.Disk = disk.Host{}
			out := t.TempDir()
			var got log
			err = tests.Search(t.Context(), search.Config{
				All: test.all, Total: test.total, Budget: time.Hour, Workers: 1, Seed: 1, Leaks: "none", NoCorpus: true, OutDir: out,
			}, &got)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(got.list, ", "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if got := filesIn(t, out); got != test.files {
				t.Errorf("there are files %s\nwant %s", got, test.files)
			}
		})
	}
}

// filesIn lists the files below a directory, by their names without the package.
func filesIn(t *testing.T, dir string) string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			list = append(list, strings.TrimPrefix(d.Name(), "box_test."))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

func TestLoad(t *testing.T) {
	dir := module(t)
	for _, test := range []struct {
		pattern, typ string
		options      linear.Options
		want         string
	}{
		{pattern: "./...", typ: "*Dice", want: `\./\.\.\. names 2 packages \(example\.com/m, example\.com/m/two\): name the one that declares the type`},
		{pattern: "./two", typ: "*Dice", want: `undefined: Dice`},
		{pattern: ".", typ: "*Dice", options: linear.Options{Values: linear.Values{{For: "int", Exprs: []string{"1"}}}}, want: ""},
		{pattern: ".", typ: "*Dice", options: linear.Options{Model: "model"}, want: `nothing`}, // the tests are needed
	} {
		_, err := Load(t.Context(), Config{Dir: dir, Package: test.pattern, Type: test.typ, Options: test.options, Bounds: []linear.Bound{{Goroutines: 2, Calls: 1}}})
		switch {
		case err == nil && test.want != "", err != nil && test.want == "":
			t.Errorf("%s of %s: got %v, want %q", test.typ, test.pattern, err, test.want)
		case err != nil && !regexp.MustCompile(test.want).MatchString(err.Error()):
			t.Errorf("%s of %s: got %v, want %q", test.typ, test.pattern, err, test.want)
		}
	}
}
