package sat

import (
	"bufio"
	"fmt"
	"io"
)

// A Proof records how the solver gets to its answers. Each clause derived
// follows by reverse unit propagation from the axioms and from what was derived
// and not deleted before: a proof in DRAT without its resolution on asymmetric
// literals (Wetzler, Heule and Hunt, SAT 2014). A solver with a theory has no
// proofs, since what a theory implies follows from no clause.
//
// The slices are valid during the call only.
type Proof interface {
	Axiom(clause []Lit)  // added by Add, as it was given
	Derive(clause []Lit) // the empty clause, or the negation of the core, at the end
	Delete(clause []Lit)
}

// SetProof has p record all that happens from now on until Reset. It has to be
// called before any clause is added.
func (s *Solver) SetProof(p Proof) {
	if s.theory != nil {
		panic("sat: a proof with a theory")
	}
	s.proof = p
}

// refuted records that the clauses have no model.
func (s *Solver) refuted() {
	s.unsat = true
	if s.proof != nil {
		s.proof.Derive(nil)
	}
}

// refutedUnder records that there is no model under the assumptions in the core.
func (s *Solver) refutedUnder(core []Lit) {
	if s.proof == nil {
		return
	}
	clause := make([]Lit, len(core))
	for i, l := range core {
		clause[i] = l.Not()
	}
	s.proof.Derive(clause)
}

// DRAT is a Proof that is written down for other programs to check: the axioms
// are kept and written by WriteCNF, the rest goes to a writer as it comes.
type DRAT struct {
	w      *bufio.Writer
	axioms [][]Lit
	vars   int
}

// NewDRAT returns a proof that writes steps in the text format of DRAT to w.
func NewDRAT(w io.Writer) *DRAT { return &DRAT{w: bufio.NewWriter(w)} }

// Axiom implements Proof.
func (d *DRAT) Axiom(clause []Lit) {
	d.axioms = append(d.axioms, append([]Lit(nil), clause...))
	for _, l := range clause {
		d.vars = max(d.vars, l.Var()+1)
	}
}

// Derive implements Proof.
func (d *DRAT) Derive(clause []Lit) { writeClause(d.w, "", clause) }

// Delete implements Proof.
func (d *DRAT) Delete(clause []Lit) { writeClause(d.w, "d ", clause) }

// Flush writes what is buffered, and returns the first error of all writes.
func (d *DRAT) Flush() error {
	if err := d.w.Flush(); err != nil {
		return fmt.Errorf("writing a proof: %w", err)
	}
	return nil
}

// WriteCNF writes the axioms in the format of DIMACS.
func (d *DRAT) WriteCNF(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "p cnf %d %d\n", d.vars, len(d.axioms))
	for _, c := range d.axioms {
		writeClause(b, "", c)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing a formula: %w", err)
	}
	return nil
}

// writeClause writes a clause as DIMACS has them: variables count from 1.
func writeClause(w *bufio.Writer, prefix string, clause []Lit) {
	w.WriteString(prefix)
	for _, l := range clause {
		n := l.Var() + 1
		if l.Negated() {
			n = -n
		}
		fmt.Fprintf(w, "%d ", n)
	}
	w.WriteString("0\n")
}
