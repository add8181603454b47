package sequential

import (
	"testing"

	"github.com/everyway-go/everyway/internal/sample"
)

// TestCompiles checks that what is generated is Go.
func TestCompiles(t *testing.T) {
	c := newCompiler()
	for seed := range sample.Of(500, 200, 20) {
		if err := c.check(Generate(uint64(seed))); err != nil {
			t.Errorf("%v\n%s", err, Generate(uint64(seed)).Source())
		}
	}
}

// TestPosition checks that inputs are found in their domain.
func TestPosition(t *testing.T) {
	for seed := range uint64(20) {
		p := Generate(seed)
		for i, in := range p.domain() {
			if at := p.position(in); at != i {
				t.Fatalf("seed %d: %s is at %d, found at %d", seed, p.text(in), i, at)
			}
		}
	}
}

// TestPrograms compares programs in the machine with what they do natively.
func TestPrograms(t *testing.T) {
	var seeds []uint64
	for seed := range sample.Of(400, 40, 8) {
		seeds = append(seeds, uint64(seed))
	}
	r, err := Compare(t.Context(), seeds, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Differences {
		t.Errorf("%s\n%s", d.What, d.Source)
	}
	t.Logf("%d of %d programs compared, %d runs; the others: %v", r.Compared, r.Programs, r.Runs, r.Left)
	if r.Compared < r.Programs*3/4 {
		t.Errorf("only %d of %d programs were compared", r.Compared, r.Programs)
	}
}
