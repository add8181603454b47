package mutate

import (
	"maps"
	"math/rand/v2"
	"strings"

	"github.com/everyway-go/everyway/internal/run"
)

// A Mutator mutates the inputs of a target, whose variables it has learned. It returns new inputs.
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

// Learn adds the variables that a run drew, in the order in which it drew them. Keys are left
// out: nobody guesses them.
func (m *Mutator) Learn(vars []run.InputVar) {
	for i := range vars {
		v := variable{vars[i].Name, vars[i].Width}
		if m.known[v] || run.SourceOf(v.name) == run.RandomKey {
			continue
		}
		m.known[v] = true
		prefix, inner := unwrap(v.name)
		part := m.addPart(v, prefix, inner)
		switch {
		case prefix == lengthOf:
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

// addPart makes v a part of the elements of the sequences that it is in. It is false if there are
// none.
func (m *Mutator) addPart(v variable, prefix, inner string) bool {
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
		s.addPart(part{prefix: prefix, rest: rest, width: v.width})
	}
	return in
}

// Empty reports whether there are no variables.
func (m *Mutator) Empty() bool { return len(m.scalars)+len(m.sequences) == 0 }

// Mutate returns a mutated copy of in. Pieces may be taken from other.
func (m *Mutator) Mutate(r *rand.Rand, in, other run.Input) run.Input {
	out := maps.Clone(in)
	if out == nil {
		out = run.Input{}
	}
	if m.Empty() {
		return out
	}
	// Mostly one change; each further one has a probability of 1/3.
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
