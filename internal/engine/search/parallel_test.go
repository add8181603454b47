package search

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/check"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/sample"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A parallelUse is how a generated test uses a variable. The number of the variable takes the
// place of %[1]d.
type parallelUse struct {
	code   string
	object string // what it uses; uses of other objects do not meet it
	writes bool   // it changes that
	plain  bool   // it is not synchronised
}

var parallelUses = []parallelUse{
	{"_ = p%[1]d", "p", false, true},
	{"p%[1]d++", "p", true, true},
	{"l%[1]d.Lock(); l%[1]d.n++; l%[1]d.Unlock()", "l", true, false},
	{"_ = a%[1]d.Load()", "a", false, false},
	{"a%[1]d.Add(1)", "a", true, false},
	{"select { case c%[1]d <- 1: default: }", "c", true, false},
	{"_ = len(m%[1]d)", "m", false, true},
	{"m%[1]d[0]++", "m", true, true},
	{"w := make(chan int); go func() { s%[1]d[0]++; close(w) }(); <-w", "s", true, true},
	{"_ = s%[1]d[0]", "s", false, true},
	{"_ = s%[1]d[1]", "s", false, false}, // another element of the array than that which others write
}

const parallelVariables = `
type locked struct { sync.Mutex; n int }
var p0, p1 int
var l0, l1 locked
var a0, a1 atomic.Int32
var c0, c1 = make(chan int, 9), make(chan int, 9)
var m0, m1 = map[int]int{}, map[int]int{}
var s0, s1 = make([]int, 2), make([]int, 2)
`

// parallelPackage returns a test file at random, and the verdicts that are expected of the
// targets that are several of its tests.
func parallelPackage(rng *rand.Rand, name string) (source string, want map[string]verdict.Verdict) {
	type test struct {
		name string
		uses map[string][]parallelUse // by object
	}
	var tests []test
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\"sync\"; \"sync/atomic\"; \"testing\")\n%s", name, parallelVariables)
	for i := range 2 + rng.IntN(4) {
		t := test{fmt.Sprintf("Test%d", i), map[string][]parallelUse{}}
		fmt.Fprintf(&b, "\nfunc %s(t *testing.T) {\n", t.name)
		parallel := rng.IntN(5) > 0
		if parallel {
			b.WriteString("\tt.Parallel()\n")
		}
		for range 1 + rng.IntN(3) {
			use, n := parallelUses[rng.IntN(len(parallelUses))], rng.IntN(2)
			fmt.Fprintf(&b, "\t{ %s }\n", fmt.Sprintf(use.code, n))
			object := fmt.Sprint(use.object, n)
			t.uses[object] = append(t.uses[object], use)
		}
		b.WriteString("}\n")
		if parallel {
			tests = append(tests, t)
		}
	}
	// meets reports whether one of two tests changes what the other uses, and races whether
	// they do so without synchronisation.
	meets := func(x, y test) (meets, races bool) {
		for object, uses := range x.uses {
			for _, u := range uses {
				for _, v := range y.uses[object] {
					meets = meets || u.writes || v.writes
					races = races || (u.writes || v.writes) && u.plain && v.plain
				}
			}
		}
		return meets, races
	}
	want = map[string]verdict.Verdict{}
	for len(tests) > 0 {
		set, rest := tests[:1:1], slices.Clone(tests[1:])
		for i := 0; i < len(set); i++ {
			rest = slices.DeleteFunc(rest, func(t test) bool {
				found, _ := meets(set[i], t)
				if found {
					set = append(set, t)
				}
				return found
			})
		}
		tests = rest
		if len(set) == 1 {
			continue
		}
		slices.SortFunc(set, func(x, y test) int { return strings.Compare(x.name, y.name) })
		result := verdict.Holds
		var names []string
		for i, x := range set {
			names = append(names, x.name)
			for _, y := range set[:i] {
				if _, races := meets(x, y); races {
					result = verdict.Fails
				}
			}
		}
		if more := len(names) - 3; more > 0 {
			names = append(names[:3], fmt.Sprint(more))
		}
		want[strings.Join(names, "+")] = result
	}
	return b.String(), want
}

// outcomes collects the verdicts on targets that are several tests, by package and target.
type outcomes struct {
	verdict.Quiet
	verdicts map[string]verdict.Verdict
	kinds    map[string]string // of findings
}

// Found implements verdict.Observer.
func (o *outcomes) Found(r *verdict.Result, c *verdict.Counterexample) {
	o.kinds[r.Package+"."+r.Target] = c.Run.Finding.Kind
}

// Ended implements verdict.Observer.
func (o *outcomes) Ended(r *verdict.Result) {
	if strings.Contains(r.Target, "+") {
		o.verdicts[r.Package+"."+r.Target] = r.Verdict
	}
}

// Which tests are searched together, and whether they race, is known of random tests by
// construction.
func TestParallel(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/parallel\n\ngo 1.26\n")
	rng := rand.New(rand.NewPCG(1, 1))
	want := map[string]verdict.Verdict{}
	sources := map[string]string{}
	for i := range sample.Size(200, 24, 6) {
		name := fmt.Sprintf("p%d", i)
		source, expected := parallelPackage(rng, name)
		write(name+"/p_test.go", source)
		sources[name] = source
		for target, v := range expected {
			want["example.com/parallel/"+name+"."+target] = v
		}
	}
	prog, err := program.Load(t.Context(), dir, []string{"./..."}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := prog.Select(program.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	got := &outcomes{verdicts: map[string]verdict.Verdict{}, kinds: map[string]string{}}
	cfg := Config{Strategy: "hyperconcolic", Runs: 10_000, Budget: 1 << 40}
	if err := Targets(t.Context(), prog, targets, cfg, got); err != nil {
		t.Fatal(err)
	}
	for target, v := range got.verdicts {
		name, _, _ := strings.Cut(filepath.Base(target), ".")
		if want[target] != v {
			t.Errorf("%s: %s, want %q\n%s", target, v, want[target], sources[name])
		}
		if v == verdict.Fails && got.kinds[target] != string(check.Race) {
			t.Errorf("%s: %s, want a race\n%s", target, got.kinds[target], sources[name])
		}
	}
	for target, v := range want {
		name, _, _ := strings.Cut(filepath.Base(target), ".")
		if got.verdicts[target] == "" {
			t.Errorf("%s: not searched, want %s\n%s", target, v, sources[name])
		}
	}
	t.Logf("%d packages, %d targets of several tests", len(sources), len(want))
}
