package stateful

import (
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm"
	"github.com/everyway-go/everyway/internal/vm/vmtest"

	"golang.org/x/tools/go/ssa"
)

// TestAlike compares what is found where one of the steps of goroutines that are alike is tried
// with what is where all are, and how many runs that takes.
func TestAlike(t *testing.T) {
	r := vmtest.Load(t, load.Config{Dir: "testdata/alike", Patterns: []string{"."}})
	root := r.Packages[0]
	prog := compile.NewProgram(r.Prog, r.Sizes, func(p *ssa.Package) bool { return p == root.SSA }, r.Standard)
	for _, test := range []struct {
		name  string
		finds string // what is found, "" if that is only compared
		fewer int    // how many times fewer runs there are at least, with all that is left out
		most  int    // and how many at most, 0 if that does not matter
	}{
		{"Count", "[finishedfalse false false 0] [] true", 2, 0},
		{"Look", "[finishedfalse false false 0] [] true", 1, 0},
		{"Send", "[finishedfalse false false 0] [] true", 2, 0},
		{"Meet", "", 1, 0},
		{"Own", "[finishedfalse false false 0] [] true", 1, 0},
		{"Last", "[finishedfalse false false 0] [] true", 1, 0},
		{"LastWrites", "a race", 1, 0},
		{"Knows", "a race", 1, 0},
		{"Linked", "[finishedfalse false false 0] [] true", 1, 80},
		{"Twice", "[failedtrue false false 0 finishedfalse false false 0] [] true", 1, 0},
		{"Stuck", "", 1, 0},
		{"Around", "[] [goroutines may go round forever] false", 1, 0},
		{"Wait", "[finishedfalse false false 0] [] true", 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			search := func(o Options) (string, int) {
				m := vm.New(prog, expr.NewArena(), run.NewNames(), run.Settings{})
				if _, err := m.Boot(t.Context(), vmtest.Function(root.SSA, test.name)); err != nil {
					t.Fatal(err)
				}
				return findings(t, m, o)
			}
			for _, o := range []Options{
				{Rename: true},
				{Rename: true, ForgetKnowledge: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
				{Rename: true, ForgetUses: true, ForgetAccesses: true, AddsCommute: true},
			} {
				want, before := search(o)
				o.Alike = true
				got, now := search(o)
				t.Logf("%d runs instead of %d", now, before)
				if got != want {
					t.Errorf("%+v: found\n%s\nwant\n%s", o, got, want)
				}
				if test.finds != "" && got != test.finds {
					t.Errorf("%+v: found\n%s\nwant\n%s", o, got, test.finds)
				}
				// What comes after a state is known less exactly where runs have been left out, so
				// that some more may be made elsewhere.
				if most := before + before/10 + 2; now > most || o.ForgetKnowledge && (now*test.fewer > most || test.most > 0 && now > test.most) {
					t.Errorf("%+v: %d runs, %d without", o, now, before)
				}
			}
		})
	}
}
