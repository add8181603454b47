package concurrent

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/kinds"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/strategy/con2colic"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/random"
)

// countable reports whether a search of p is to make no more complete runs than
// p has classes. A failure comes early in some runs and late in others, and an
// error is logged under a lock of package testing. The machine takes more steps to
// be dependent than need be: a swap of values that depend on an input is taken for
// one that succeeds, and a select that meets another select for one that looks at all
// channels.
func countable(p *oracle.Program, r *oracle.Result) bool {
	for _, o := range r.Outcomes {
		if !strings.HasPrefix(o, "ok") && !strings.HasPrefix(o, oracle.Leak) && !strings.HasPrefix(o, oracle.Deadlock) || strings.Contains(o, " e") {
			return false
		}
	}
	// By unbuffered channel, the bodies with a select that sends or receives there.
	sends, receives := make([]uint8, len(p.Chans)), make([]uint8, len(p.Chans))
	ok := true
	p.Each(func(body int, s *oracle.Stmt) {
		switch s.Op {
		case oracle.Swap:
			ok = ok && len(p.Inputs) == 0
		case oracle.Select:
			for _, c := range s.Case {
				switch {
				case p.Chans[c.Chan] != 0:
				case c.Send:
					sends[c.Chan] |= 1 << body
				default:
					receives[c.Chan] |= 1 << body
				}
			}
		}
	})
	for c := range p.Chans {
		if s, r := sends[c], receives[c]; s != 0 && r != 0 && bits.OnesCount8(s|r) > 1 {
			ok = false
		}
	}
	return ok
}

// maxClasses bounds the programs that strategies are compared on: a search has
// a run for each class at least.
const maxClasses = 400

// generateSuite returns programs, as many as sample.Size says, and what they do.
func generateSuite(t *testing.T, all, usual, short int) (programs []*oracle.Program, results []*oracle.Result) {
	t.Helper()
	n := sample.Size(all, usual, short)
	step := uint64(all/n) | 1 // is odd, for programs of both modes
	for seed := uint64(0); len(programs) < n; seed += step {
		p := kinds.Generate(seed/2, kinds.Config{Mode: oracle.Mode(seed % 2)})
		if _, err := oracle.Classes(p, maxClasses); err != nil {
			continue
		}
		r, err := oracle.Enumerate(p, 1e6)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		programs = append(programs, p)
		results = append(results, r)
	}
	return programs, results
}

// TestStrategies compares what the strategies find with what the enumerator says.
func TestStrategies(t *testing.T) {
	programs, results := generateSuite(t, 1400, 200, 40)
	s := load(t, programs)
	few, many := sample.Size(60, 60, 40), sample.Size(400, 100, 40)
	t.Run("hyperconcolic", func(t *testing.T) { s.testHyperconcolic(t, results) })
	t.Run("merged", func(t *testing.T) { s.testMerged(t, results) })
	t.Run("visible", func(t *testing.T) { s.testVisible(t, many) })
	t.Run("con2colic", func(t *testing.T) {
		for k := range 5 {
			n := many
			if k != 2 {
				n /= 2
			}
			t.Run(fmt.Sprint(k), func(t *testing.T) { s.testCon2colic(t, results[:n], k) })
		}
	})
	t.Run("random", func(t *testing.T) { s.testRandom(t, results[:few]) })
}

// testHyperconcolic checks that the search finds exactly what there is, with a
// run for each class at least and, where that can be told, at most.
func (s *Suite) testHyperconcolic(t *testing.T, results []*oracle.Result) {
	runs, redundant, blocked, holds, counted := 0, 0, 0, 0, 0
	for i, want := range results {
		p := player(t, s, i)
		f, err := p.Search(t.Context(), hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names}), 100000)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		runs += f.Runs
		redundant += f.Status.Redundant
		blocked += f.Status.Blocked
		if !want.Fails() {
			holds++
		}
		if !f.Status.Exhausted {
			t.Errorf("%s: not exhausted: %v", describe(s, i), f.Status.Open)
		}
		if got := slices.Sorted(maps.Keys(f.Outcomes)); !slices.Equal(got, want.Outcomes) {
			t.Errorf("%s\noutcomes %q\n    want %q", describe(s, i), got, want.Outcomes)
		}
		branches := map[oracle.Branch]bool{}
		for b := range want.Degree {
			branches[b] = true
		}
		if !maps.Equal(f.Covered, branches) {
			t.Errorf("%s\ncovered %v\n   want %v", describe(s, i), f.Covered, branches)
		}
		if f.Race != want.Race {
			t.Errorf("%s\nrace %v, want %v", describe(s, i), f.Race, want.Race)
		}
		exact := countable(s.Programs[i], want)
		if exact {
			counted++
		}
		classes, err := oracle.Classes(s.Programs[i], maxClasses)
		if err != nil || f.Complete < classes || exact && f.Complete > classes {
			t.Errorf("%s\n%d runs, want one for each of %d classes (%v)", describe(s, i), f.Complete, classes, err)
		}
	}
	t.Logf("%d programs, %d of them hold; %d runs, %d of them redundant, %d blocked; no more than one for each class in %d programs",
		len(results), holds, runs, redundant, blocked, counted)
	if wasted := redundant + blocked; wasted > runs/20 {
		t.Errorf("%d of %d runs were in vain", wasted, runs)
	}
}

// testMerged checks that the search finds the same when small branches are merged, in no
// more runs.
func (s *Suite) testMerged(t *testing.T, results []*oracle.Result) {
	plain, merged, fewer := 0, 0, 0
	for i, want := range results {
		if len(s.Programs[i].Inputs) == 0 {
			continue
		}
		p := player(t, s, i)
		var all [2]*Found
		for k, merge := range []run.Merging{run.MergeNone, run.MergeAll} {
			f, err := p.Search(t.Context(), hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names, Merge: merge}), 100000)
			if err != nil {
				t.Fatalf("%v\n%s", err, describe(s, i))
			}
			all[k] = f
		}
		f := all[1]
		if got := slices.Sorted(maps.Keys(f.Outcomes)); !slices.Equal(got, want.Outcomes) || f.Race != want.Race || !f.Status.Exhausted {
			t.Errorf("%s\noutcomes %q, race %v, exhausted %v\n    want %q, %v", describe(s, i), got, f.Race, f.Status.Exhausted, want.Outcomes, want.Race)
		}
		if f.Complete > all[0].Complete {
			t.Errorf("%s\n%d runs, %d without merging", describe(s, i), f.Complete, all[0].Complete)
		}
		plain += all[0].Runs
		merged += f.Runs
		if f.Runs < all[0].Runs {
			fewer++
		}
	}
	t.Logf("%d runs, %d without merging; fewer in %d programs", merged, plain, fewer)
}

// testVisible checks that scheduling points at plain accesses from the start show
// nothing that a search does not find which makes only the sites of races such
// points, and logs how many more runs they cost.
func (s *Suite) testVisible(t *testing.T, programs int) {
	coarse, fine, compared := map[oracle.Mode]int{}, map[oracle.Mode]int{}, 0
	for i, program := range s.Programs[:programs] {
		if program.Plains == 0 {
			continue
		}
		p := player(t, s, i)
		want, err := p.Search(t.Context(), hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names}), 100000)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		visible := run.Visible{Sites: p.ownSites()}
		got, err := p.Search(t.Context(), hyperconcolic.New(hyperconcolic.Options{Names: p.Machine.Names, Visible: visible}), 100000)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		compared++
		coarse[program.Mode] += want.Runs
		fine[program.Mode] += got.Runs
		if !maps.Equal(got.Outcomes, want.Outcomes) || !maps.Equal(got.Covered, want.Covered) || got.Race != want.Race {
			t.Errorf("%s\nwith plain accesses visible\n    outcomes %v\n    covered %v, race %v\nwithout\n    outcomes %v\n    covered %v, race %v",
				describe(s, i), got.Outcomes, got.Covered, got.Race, want.Outcomes, want.Covered, want.Race)
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
	for _, m := range []oracle.Mode{oracle.Guarded, oracle.Racy} {
		t.Logf("%v: %d runs, %d with plain accesses visible (%.2f times)", m, coarse[m], fine[m], float64(fine[m])/float64(max(coarse[m], 1)))
	}
}

// ownSites returns the sites of the program in the functions that have been run.
func (p *Player) ownSites() map[run.SiteID]bool {
	for id, f := range p.Machine.Funcs {
		if f == nil || p.funcsDone[id] {
			continue
		}
		p.funcsDone[id] = true
		for i, pos := range f.Pos {
			if line, ok := p.at(pos); ok {
				if p.sites[line.Program] == nil {
					p.sites[line.Program] = map[run.SiteID]bool{}
				}
				p.sites[line.Program][run.SiteID{Func: int32(id), Instr: int32(i)}] = true
			}
		}
	}
	return p.sites[p.program]
}

// testCon2colic checks con2colic search up to degree k: what it covers can be
// covered, and all that k interferences can reach is covered.
func (s *Suite) testCon2colic(t *testing.T, results []*oracle.Result, k int) {
	runs, reached := 0, 0
	for i, want := range results {
		f, err := player(t, s, i).Search(t.Context(), con2colic.New(con2colic.Default(k)), 20000)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		runs += f.Runs
		if !f.Status.Finished || len(f.Status.Open) > 0 {
			t.Errorf("%s\nfinished %v, open %q", describe(s, i), f.Status.Finished, f.Status.Open)
		}
		for b := range f.Covered {
			if _, ok := want.Degree[b]; !ok {
				t.Errorf("%s\n%v is covered and cannot be", describe(s, i), b)
			}
		}
		for b, degree := range want.Degree {
			if degree > k {
				continue
			}
			reached++
			if !f.Covered[b] {
				t.Errorf("%s\n%v, of degree %d, is not covered; covered %v", describe(s, i), b, degree, f.Covered)
			}
		}
		if f.Race && !want.Race {
			t.Errorf("%s\na race is reported and there is none", describe(s, i))
		}
	}
	t.Logf("%d programs, %d branches of degree %d or less, %d runs", len(results), reached, k, runs)
}

// testRandom checks that what random runs do can be done, and that they find
// most of it.
func (s *Suite) testRandom(t *testing.T, results []*oracle.Result) {
	found, all := 0, 0
	for i, want := range results {
		f, err := player(t, s, i).Search(t.Context(), random.New(random.Options{Seed: 1, Runs: 50}), 100)
		if err != nil {
			t.Errorf("%v\n%s", err, describe(s, i))
			continue
		}
		for o := range f.Outcomes {
			if !slices.Contains(want.Outcomes, o) {
				t.Errorf("%s\noutcome %q, want one of %q", describe(s, i), o, want.Outcomes)
			}
		}
		if f.Race && !want.Race {
			t.Errorf("%s\na race is reported and there is none", describe(s, i))
		}
		found += len(f.Outcomes)
		all += len(want.Outcomes)
	}
	t.Logf("%d of %d outcomes", found, all)
	if found < all/2 {
		t.Errorf("only %d of %d outcomes", found, all)
	}
}

// describe names program i of the suite and shows its source.
func describe(s *Suite, i int) string { return oracle.Describe(s.Programs[i]) }

// load loads programs.
func load(t *testing.T, programs []*oracle.Program) *Suite {
	t.Helper()
	s, err := Load(t.Context(), t.TempDir(), programs)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// player returns a player of program i.
func player(t *testing.T, s *Suite, i int) *Player {
	t.Helper()
	p, err := s.Player(t.Context(), i)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
