package mutate

import (
	"maps"
	"math/rand/v2"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
)

// A Mutator knows the variables of a target. It does not change an input that it
// is given.
type Mutator struct {
	maxLen    int
	known     map[variable]bool
	scalars   []variable // not parts of sequences
	sequences []*sequence
	byName    map[string]*sequence
	compared  comparisons
}

// A variable is an input variable without a value.
type variable struct {
	name  string
	width uint8
}

// New returns a Mutator for sequences of at most maxLen elements, at least one.
func New(maxLen int) *Mutator {
	return &Mutator{maxLen: max(maxLen, 1), known: map[variable]bool{}, byName: map[string]*sequence{}, compared: newComparisons()}
}

// Learn takes the variables that a run drew, in the order in which it did.
func (m *Mutator) Learn(vars []run.InputVar) {
	for i := range vars {
		v := variable{vars[i].Name, vars[i].Width}
		if m.known[v] {
			continue
		}
		m.known[v] = true
		of, inner := unwrap(v.name)
		part := m.learnPart(v, of, inner)
		switch {
		case of == lengthOf:
			if m.byName[inner] == nil {
				s := &sequence{name: inner}
				m.byName[inner] = s
				m.sequences = append(m.sequences, s)
			}
		case !part:
			m.scalars = append(m.scalars, v)
		}
	}
}

// learnPart makes v a part of the elements of the sequences that it is in. It is
// false when it is in none.
func (m *Mutator) learnPart(v variable, of, inner string) bool {
	in := false
	for at := range inner {
		if inner[at] != '[' {
			continue
		}
		s := m.byName[inner[:at]]
		_, rest, ok := strings.Cut(inner[at:], "]")
		if s == nil || !ok {
			continue
		}
		in = true
		s.learn(part{of: of, rest: rest, width: v.width})
	}
	return in
}

// Empty reports whether there is nothing to change.
func (m *Mutator) Empty() bool { return len(m.scalars)+len(m.sequences) == 0 }

// Mutate returns a changed copy of in. Parts may be taken from other.
func (m *Mutator) Mutate(r *rand.Rand, in, other run.Input) run.Input {
	out := maps.Clone(in)
	if out == nil {
		out = run.Input{}
	}
	if m.Empty() {
		return out
	}
	// One change as a rule, each further one a third as often.
	for again := true; again; again = r.IntN(3) == 0 {
		if c := m.compared.pick(r); c != nil && r.IntN(2) == 0 {
			c.apply(r, out, m.maxLen)
			continue
		}
		if i := r.IntN(len(m.scalars) + len(m.sequences)); i < len(m.scalars) {
			v := m.scalars[i]
			out[v.name] = m.scalar(r, v, out, other)
		} else {
			m.sequence(r, m.sequences[i-len(m.scalars)], out, other)
		}
	}
	return out
}
