package sat

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// random3 returns a formula of three literals a clause, near the ratio at which
// half of them have a model.
func random3(r *rand.Rand, vars int) [][]Lit {
	clauses := make([][]Lit, vars*43/10)
	for i := range clauses {
		for range 3 {
			clauses[i] = append(clauses[i], Lit(r.IntN(2*vars)))
		}
	}
	return clauses
}

// TestProof checks every step to each answer of unsat, and that what is told
// last refutes the clauses, or the assumptions in the core.
func TestProof(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := New(nil)
	unsat, learned := 0, 0
	for range 60 {
		vars := 5 + r.IntN(40)
		s.Reset()
		c := NewChecker()
		s.SetProof(c)
		for range vars {
			s.NewVar()
		}
		for _, clause := range random3(r, vars) {
			s.Add(clause...)
		}
		s.maxLearned = 20 // so that some are deleted
		assumptions := make([]Lit, r.IntN(4))
		for i := range assumptions {
			assumptions[i] = Lit(r.IntN(2 * vars))
		}
		result := s.Solve(assumptions...)
		if c.Err() != nil {
			t.Fatal(c.Err())
		}
		learned += c.Steps()
		if result != Unsat {
			continue
		}
		unsat++
		for _, l := range c.Last() {
			if !slices.Contains(assumptions, l.Not()) {
				t.Fatalf("the proof ends with %v under the assumptions %v", c.Last(), assumptions)
			}
		}
		if len(c.Last()) != len(s.Core()) {
			t.Fatalf("the proof ends with %v, the core is %v", c.Last(), s.Core())
		}
	}
	if unsat < 10 || learned < 500 {
		t.Errorf("only %d refutations, %d steps: the test shows little", unsat, learned)
	}
}

// TestProofWrong checks the checker: a step that does not follow is found.
func TestProofWrong(t *testing.T) {
	c := NewChecker()
	c.Axiom([]Lit{0, 2})
	c.Derive([]Lit{0})
	if c.Err() == nil {
		t.Error("a clause that does not follow is accepted")
	}
	c = NewChecker()
	c.Delete([]Lit{4})
	if c.Err() == nil {
		t.Error("a clause that is not there is deleted")
	}
}

// TestDRAT has a proof that was written down checked by drat-trim, if it is
// installed, and its form otherwise.
func TestDRAT(t *testing.T) {
	var proof, formula bytes.Buffer
	d := NewDRAT(&proof)
	s := New(nil)
	s.SetProof(d)
	for range 3 {
		s.NewVar()
	}
	for bits := range 8 {
		s.Add(Lit(0|bits&1), Lit(2|bits>>1&1), Lit(4|bits>>2&1))
	}
	if r := s.Solve(); r != Unsat {
		t.Fatal(r)
	}
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteCNF(&formula); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(formula.String(), "p cnf 3 8\n1 2 3 0\n-1 2 3 0\n") {
		t.Errorf("the formula is\n%s", &formula)
	}
	if !strings.HasSuffix(proof.String(), "\n0\n") {
		t.Errorf("the proof does not end with the empty clause:\n%s", &proof)
	}
	trim, err := exec.LookPath("drat-trim")
	if err != nil {
		t.Log("no drat-trim: the proof was not checked by another program")
		return
	}
	dir := t.TempDir()
	for name, text := range map[string]*bytes.Buffer{"f.cnf": &formula, "f.drat": &proof} {
		if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(trim, filepath.Join(dir, "f.cnf"), filepath.Join(dir, "f.drat")).CombinedOutput(); err != nil {
		t.Errorf("drat-trim: %v\n%s", err, out)
	}
}
