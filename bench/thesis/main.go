// Thesis compares the detectors of everyway race with each other and with the exhaustive search, on
// the programs of chapter 6 of "Hyperconcolic: Concolic execution of concurrent programs"; they are
// in testdata/programs, written anew in Go.
//
//	go run ./bench/thesis
//	go run ./bench/thesis -run Mergesort -schedules 100
//
// A race is a pair of lines. The first table has for each program the events of the first schedule,
// which is the one without preemptions, and the races that each detector finds in it; and then
// those that huang and loose find in all schedules together, of which the others are drawn at
// random; the races that a search of all interleavings finds, how many of them neither huang nor
// happensbefore has found in any schedule, its runs and its time; and what table 6.4 of the thesis
// gives for the programs in Java: races that JChord and a sound detector find, and those of the
// thesis's own tool, RVPredict and JChord. The second table has the time of each detector for all
// schedules of a program.
//
// What has to hold is checked: that each of strict, said, huang and loose finds what the one before
// finds, and osr what syncp does, in each schedule, and that the search finds what osr, m2 and
// huang predict. Where it does not, the races are listed, and the exit code is 1. Last comes with
// how many runs of the search the third race of listing 6.1 is found.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/everyway-go/everyway/bench/internal/table"
)

// programs are those of table 6.4, with its counts: races that are confirmed, and those of the
// thesis's tool, of RVPredict and of JChord.
var programs = []struct{ target, published string }{
	{"TestAccount", "4: 4, 4, 5"},
	{"TestAirlineTickets", "9: 6, 9, 10"},
	{"TestArray", "0: 0, 0, 1"},
	{"TestBoundedBuffer", "11: 8, 11, 13"},
	{"TestBufWriter", "2: 2, 2, 12"},
	{"TestCritical", "8: 5, 8, 18"},
	{"TestMergeSort", "2: 5, 3, 46"},
	{"TestPingPong", "2: 1, 3, 7"},
	{"TestTSP", "3: -, 3, 106"},
	{listing, "3: 3"},
}

// listing is the program of listing 6.1.
const listing = "FuzzListing"

// detectors are the ones that are compared.
var detectors = []string{"lockset", "happensbefore", "wcp", "syncp", "osr", "m2", "strict", "said", "huang", "loose"}

// weaker has, of a detector, one whose findings it has, too.
var weaker = map[string]string{"osr": "syncp", "said": "strict", "huang": "said", "loose": "huang"}

func main() {
	b := bench{}
	only := flag.String("run", "", "only programs whose name contains `text`")
	flag.IntVar(&b.schedules, "schedules", 20, "record `n` schedules of each program")
	flag.StringVar(&b.window, "window", "1000", "`number` of events that are looked at together")
	flag.StringVar(&b.budget, "budget", "60s", "search each program for this `time` at most")
	flag.Parse()
	ok, err := b.run(context.Background(), *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "thesis:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// A bench compares the detectors.
type bench struct {
	schedules      int
	window, budget string
	everyway, dir  string // the program, and the module with the programs
}

// A race is the places of its accesses, the smaller one first.
type race [2]string

func raceOf(a, b string) race {
	r := race{lineOf(a), lineOf(b)}
	slices.Sort(r[:])
	return r
}

// lineOf returns a place without its column.
func lineOf(pos string) string {
	parts := strings.SplitN(pos, ":", 3)
	return strings.Join(parts[:min(2, len(parts))], ":")
}

type races map[race]bool

// without lists the races that are not in others.
func (s races) without(others races) []string {
	var list []string
	for r := range s {
		if !others[r] {
			list = append(list, r[0]+" and "+r[1])
		}
	}
	slices.Sort(list)
	return list
}

func (s races) add(others races) {
	for r := range others {
		s[r] = true
	}
}

func (b *bench) run(ctx context.Context, only string) (ok bool, err error) {
	work, err := os.MkdirTemp("", "bench-thesis-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	b.everyway, b.dir = filepath.Join(work, "everyway"), filepath.Join(work, "programs")
	build := exec.CommandContext(ctx, "go", "build", "-o", b.everyway, "./cmd/everyway")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return false, fmt.Errorf("building everyway: %w", err)
	}
	if err := os.CopyFS(b.dir, os.DirFS("bench/thesis/testdata/programs")); err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(b.dir, "go.mod"), []byte("module example.com/thesis\n\ngo 1.26\n"), 0o666); err != nil {
		return false, err
	}
	header := append([]string{"program", "events"}, detectors...)
	counts := table.New(os.Stdout, append(header, "huang of all", "loose of all", "search", "only", "runs", "time", "thesis")...)
	var times bytes.Buffer
	timed := table.New(&times, append([]string{"time"}, detectors...)...)
	ok = true
	for _, p := range programs {
		if !strings.Contains(p.target, only) {
			continue
		}
		row, err := b.compare(ctx, p.target)
		if err != nil {
			return false, fmt.Errorf("%s: %w", p.target, err)
		}
		ok = ok && row.right
		counts.Row(append(row.counts, p.published)...)
		timed.Row(row.times...)
	}
	if err := errors.Join(counts.Flush(), timed.Flush()); err != nil {
		return false, err
	}
	fmt.Printf("\n%s", times.String())
	if strings.Contains(listing, only) {
		n, err := b.runsUntil(ctx, 3)
		if err != nil {
			return false, err
		}
		fmt.Printf("\nthe races of listing 6.1 are found with %d runs\n", n)
	}
	return ok, nil
}

// A row is what there is to say of a program.
type row struct {
	counts, times []any
	right         bool // what has to hold does
}

// compare has all detectors look at schedules of a program, and searches it.
func (b *bench) compare(ctx context.Context, target string) (*row, error) {
	var files []string
	for seed := range b.schedules {
		file := filepath.Join(b.dir, fmt.Sprintf("%s-%d.schedule", target, seed))
		if _, err := b.command(ctx, "record", "-run", "^"+target+"$", "-seed", strconv.Itoa(seed), "-o", file); err != nil {
			return nil, fmt.Errorf("recording: %w", err)
		}
		files = append(files, file)
	}
	is := &row{counts: []any{target, int64(0)}, times: []any{target}, right: true}
	found := map[string]*analysis{}
	for _, d := range detectors {
		a, err := b.analyse(ctx, d, files)
		if err != nil {
			return nil, err
		}
		found[d] = a
		is.counts[1] = a.events
		is.counts = append(is.counts, len(a.races[0]))
		is.times = append(is.times, a.time.Round(time.Millisecond))
		if weaker := weaker[d]; weaker != "" {
			for n := range files {
				is.require(found[weaker].races[n].without(a.races[n]), "%s: found by %s and not by %s, schedule %d", target, weaker, d, n)
			}
		}
	}
	s, err := b.search(ctx, target)
	if err != nil {
		return nil, err
	}
	huang := found["huang"].all()
	time := s.time.Round(time.Millisecond).String()
	if s.ended {
		for _, d := range []string{"osr", "m2", "huang"} {
			is.require(found[d].all().without(s.races), "%s: found by %s and not by the search", target, d)
		}
	} else {
		time = "> " + time
	}
	seen := found["happensbefore"].all()
	seen.add(huang)
	only := s.races.without(seen)
	for _, race := range only {
		fmt.Printf("%s: found by the search only: %s\n", target, race)
	}
	is.counts = append(is.counts, len(huang), len(found["loose"].all()), len(s.races), len(only), s.runs, time)
	return is, nil
}

// require says which races are left, if there are any.
func (r *row) require(left []string, format string, args ...any) {
	if len(left) > 0 {
		fmt.Printf(format+": %s\n", append(args, strings.Join(left, "; "))...)
		r.right = false
	}
}

// An analysis is what a detector finds in schedules.
type analysis struct {
	races  []races // of each schedule
	events int64   // of the first schedule
	time   time.Duration
}

func (a *analysis) all() races {
	all := races{}
	for _, r := range a.races {
		all.add(r)
	}
	return all
}

// analyse has a detector look at schedules.
func (b *bench) analyse(ctx context.Context, detector string, files []string) (*analysis, error) {
	begin := time.Now()
	out, err := b.command(ctx, append([]string{"race", "-json", "-detector", detector, "-window", b.window}, files...)...)
	if err != nil {
		return nil, fmt.Errorf("analysing: %w", err)
	}
	a := &analysis{time: time.Since(begin)}
	for range files {
		a.races = append(a.races, races{})
	}
	return a, decode(out, func(line []byte) error {
		var f struct {
			File, Detector string
			Events         int64
			Sites          []struct{ Pos string }
		}
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		switch i := slices.Index(files, f.File); {
		case i < 0:
			return fmt.Errorf("a finding in %s", f.File)
		case f.Detector == "":
			if i == 0 {
				a.events = f.Events
			}
		case len(f.Sites) == 2:
			a.races[i][raceOf(f.Sites[0].Pos, f.Sites[1].Pos)] = true
		}
		return nil
	})
}

// A searched is what a search finds.
type searched struct {
	races races
	runs  int64
	ended bool // with all interleavings
	time  time.Duration
}

// search searches a program, with all findings.
func (b *bench) search(ctx context.Context, target string, flags ...string) (*searched, error) {
	// Saved findings would be looked at first.
	if err := os.RemoveAll(filepath.Join(b.dir, ".everyway")); err != nil {
		return nil, err
	}
	begin := time.Now()
	args := []string{"test", "-json", "-all", "-strategy", "hyperconcolic", "-count=1", "-corpus=off", "-budget", b.budget, "-run", "^" + target + "$"}
	out, err := b.command(ctx, append(args, flags...)...)
	if err != nil {
		return nil, fmt.Errorf("searching: %w", err)
	}
	s := &searched{races: races{}, time: time.Since(begin)}
	race := "" // the position of the race that the last line with a finding is about
	return s, decode(out, func(line []byte) error {
		var e struct {
			Event, Kind, Pos string
			Runs             int64
			Open             []json.RawMessage
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		switch {
		case e.Event == "finding" && e.Kind == "data race":
			race = e.Pos
		case e.Event == "finding":
			race = ""
		case e.Event == "other" && race != "":
			s.races[raceOf(race, e.Pos)] = true
		}
		if e.Runs > 0 {
			s.runs, s.ended = e.Runs, len(e.Open) == 0
		}
		return nil
	})
}

// runsUntil returns with how many runs of the search so many races of the listing are found.
func (b *bench) runsUntil(ctx context.Context, races int) (int, error) {
	for n := 1; n < 1000; n++ {
		s, err := b.search(ctx, listing, "-runs", strconv.Itoa(n))
		if err != nil {
			return 0, err
		}
		if len(s.races) >= races {
			return n, nil
		}
	}
	return 0, errors.New("the races of the listing are not found with 1000 runs")
}

// command runs everyway, in the module with the programs. It may have findings.
func (b *bench) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.everyway, args...)
	cmd.Dir, cmd.Stderr = b.dir, os.Stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	return out, err
}

// decode calls do for each line.
func decode(out []byte, do func(line []byte) error) error {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		if err := do(lines.Bytes()); err != nil {
			return fmt.Errorf("output of everyway: %w", err)
		}
	}
	return lines.Err()
}
