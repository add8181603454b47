package bitblast

import "github.com/everyway-go/everyway/internal/solve/sat"

// circuit builds logic gates as clauses (Tseitin's encoding). A gate with the
// inputs of an earlier one is that one, and constant inputs are folded, also
// those that are constant only because the clauses so far force them.
type circuit struct {
	sat   *sat.Solver
	truth sat.Lit // the constant true
	gates gateTable
	ands  []gate // by variable: the and gate that defines it, if kind is andGate
}

type gateKind uint8

const (
	noGate gateKind = iota
	andGate
	xorGate
	xor3Gate
	majorityGate
	muxGate
)

// gate is a function of up to three inputs. For a muxGate a chooses between b
// and c; the order of the inputs of other gates does not matter.
type gate struct {
	a, b, c sat.Lit
	kind    gateKind
}

// reset starts a new circuit.
func (c *circuit) reset(proof sat.Proof) {
	c.sat.Reset()
	c.sat.SetProof(proof)
	c.gates.reset()
	c.ands = c.ands[:0]
	c.truth = c.newVar()
	c.sat.Add(c.truth)
}

func (c *circuit) newVar() sat.Lit {
	c.ands = append(c.ands, gate{})
	return c.sat.NewVar()
}

func (c *circuit) constant(b bool) sat.Lit {
	if b {
		return c.truth
	}
	return c.truth.Not()
}

// fold replaces a literal that the clauses force by a constant.
func (c *circuit) fold(l sat.Lit) sat.Lit {
	switch c.sat.Fixed(l) {
	case 1:
		return c.truth
	case -1:
		return c.truth.Not()
	}
	return l
}

// output returns the output of the gate g and whether it is new: its clauses
// are then still to be added.
func (c *circuit) output(g gate) (sat.Lit, bool) {
	entry := c.gates.find(g)
	if entry.used {
		return entry.output, false
	}
	entry.used = true
	entry.output = c.newVar()
	out := entry.output
	if g.kind == andGate {
		c.ands[out.Var()] = g
	}
	c.gates.added()
	return out, true
}

func (c *circuit) and(x, y sat.Lit) sat.Lit {
	x, y = c.fold(x), c.fold(y)
	switch {
	case x == c.truth || x == y:
		return y
	case y == c.truth:
		return x
	case x == c.truth.Not(), y == c.truth.Not(), x == y.Not():
		return c.truth.Not()
	}
	if z, ok := c.absorb(x, y); ok {
		return z
	}
	if z, ok := c.absorb(y, x); ok {
		return z
	}
	if x > y {
		x, y = y, x
	}
	out, fresh := c.output(gate{kind: andGate, a: x, b: y})
	if fresh {
		c.sat.Add(out.Not(), x)
		c.sat.Add(out.Not(), y)
		c.sat.Add(out, x.Not(), y.Not())
	}
	return out
}

// absorb simplifies x ∧ y by looking into x, if x is an and gate or the
// negation of one.
func (c *circuit) absorb(x, y sat.Lit) (sat.Lit, bool) {
	g := c.ands[x.Var()]
	if g.kind != andGate {
		return 0, false
	}
	if !x.Negated() {
		switch y {
		case g.a, g.b: // (a ∧ b) ∧ a = a ∧ b
			return x, true
		case g.a.Not(), g.b.Not(): // (a ∧ b) ∧ ¬a = false
			return c.truth.Not(), true
		}
		return 0, false
	}
	switch y {
	case g.a.Not(), g.b.Not(): // ¬(a ∧ b) ∧ ¬a = ¬a
		return y, true
	case g.a: // ¬(a ∧ b) ∧ a = a ∧ ¬b
		return c.and(g.a, g.b.Not()), true
	case g.b:
		return c.and(g.b, g.a.Not()), true
	}
	return 0, false
}

func (c *circuit) or(x, y sat.Lit) sat.Lit { return c.and(x.Not(), y.Not()).Not() }

func (c *circuit) xor(x, y sat.Lit) sat.Lit {
	x, y = c.fold(x), c.fold(y)
	// Take the negations out: ¬x ⊕ y = ¬(x ⊕ y).
	negate := x&1 ^ y&1
	x, y = x&^1, y&^1
	switch {
	case x == y:
		return c.truth.Not() ^ negate
	case x == c.truth:
		return y ^ negate ^ 1
	case y == c.truth:
		return x ^ negate ^ 1
	}
	if x > y {
		x, y = y, x
	}
	out, fresh := c.output(gate{kind: xorGate, a: x, b: y})
	if fresh {
		c.sat.Add(out.Not(), x, y)
		c.sat.Add(out.Not(), x.Not(), y.Not())
		c.sat.Add(out, x.Not(), y)
		c.sat.Add(out, x, y.Not())
	}
	return out ^ negate
}

// xor3 returns x ⊕ y ⊕ z: the sum bit of a full adder.
func (c *circuit) xor3(x, y, z sat.Lit) sat.Lit {
	x, y, z = c.fold(x), c.fold(y), c.fold(z)
	negate := x&1 ^ y&1 ^ z&1
	x, y, z = sort3(x&^1, y&^1, z&^1)
	switch {
	case x == c.truth || x == y || y == z: // the constant has the least variable
		return c.xor(c.xor(x, y), z) ^ negate
	}
	out, fresh := c.output(gate{kind: xor3Gate, a: x, b: y, c: z})
	if fresh {
		for odd := range sat.Lit(8) { // forbid each assignment of the inputs with the wrong output
			p, q, r := odd&1, odd>>1&1, odd>>2
			c.sat.Add(x^p, y^q, z^r, out^p^q^r^1)
		}
	}
	return out ^ negate
}

// majority returns whether two of x, y and z are true: the carry bit of a
// full adder.
func (c *circuit) majority(x, y, z sat.Lit) sat.Lit {
	x, y, z = sort3(c.fold(x), c.fold(y), c.fold(z))
	switch {
	case x == y, x == c.truth.Not() && y == c.truth:
		if x == y {
			return x
		}
		return z
	case y == z:
		return y
	case x == y.Not():
		return z
	case y == z.Not():
		return x
	case x == c.truth: // the constant has the least variable
		return c.or(y, z)
	case x == c.truth.Not():
		return c.and(y, z)
	}
	// majority(¬x, ¬y, ¬z) = ¬majority(x, y, z): let x be unnegated.
	negate := x & 1
	x, y, z = x^negate, y^negate, z^negate
	out, fresh := c.output(gate{kind: majorityGate, a: x, b: y, c: z})
	if fresh {
		for _, pair := range [...][2]sat.Lit{{x, y}, {x, z}, {y, z}} {
			c.sat.Add(pair[0].Not(), pair[1].Not(), out)
			c.sat.Add(pair[0], pair[1], out.Not())
		}
	}
	return out ^ negate
}

// mux returns x if choose is true and otherwise y.
func (c *circuit) mux(choose, x, y sat.Lit) sat.Lit {
	choose, x, y = c.fold(choose), c.fold(x), c.fold(y)
	switch {
	case choose == c.truth || x == y:
		return x
	case choose == c.truth.Not():
		return y
	case x == y.Not():
		return c.xor(choose, y)
	case x == c.truth || x == choose:
		return c.or(choose, y)
	case x == c.truth.Not() || x == choose.Not():
		return c.and(choose.Not(), y)
	case y == c.truth || y == choose.Not():
		return c.or(choose.Not(), x)
	case y == c.truth.Not() || y == choose:
		return c.and(choose, x)
	}
	if choose.Negated() {
		choose, x, y = choose.Not(), y, x
	}
	negate := x & 1
	x, y = x^negate, y^negate
	out, fresh := c.output(gate{kind: muxGate, a: choose, b: x, c: y})
	if fresh {
		c.sat.Add(choose.Not(), x.Not(), out)
		c.sat.Add(choose.Not(), x, out.Not())
		c.sat.Add(choose, y.Not(), out)
		c.sat.Add(choose, y, out.Not())
		c.sat.Add(x.Not(), y.Not(), out) // follow from the others, but propagate more
		c.sat.Add(x, y, out.Not())
	}
	return out ^ negate
}

// all returns the conjunction of the literals, whose slice it may change.
func (c *circuit) all(lits []sat.Lit) sat.Lit {
	n := 0
	for _, l := range lits {
		switch l = c.fold(l); l {
		case c.truth:
			continue
		case c.truth.Not():
			return l
		}
		lits[n] = l
		n++
	}
	switch lits = lits[:n]; n {
	case 0:
		return c.truth
	case 1:
		return lits[0]
	case 2:
		return c.and(lits[0], lits[1])
	}
	out := c.newVar()
	for i, l := range lits {
		c.sat.Add(out.Not(), l)
		lits[i] = l.Not()
	}
	c.sat.Add(append(lits, out)...)
	return out
}

func sort3(x, y, z sat.Lit) (sat.Lit, sat.Lit, sat.Lit) {
	if x > y {
		x, y = y, x
	}
	if y > z {
		y, z = z, y
	}
	if x > y {
		x, y = y, x
	}
	return x, y, z
}

// gateTable is a hash table of gates with open addressing. Starting over costs
// nothing: entries of earlier rounds count as free.
type gateTable struct {
	entries []gateEntry // its length is a power of two
	count   int
	round   uint32
}

type gateEntry struct {
	gate
	output sat.Lit
	round  uint32
	used   bool
}

func (t *gateTable) reset() {
	t.round++
	t.count = 0
	if t.entries == nil || t.round == 0 { // or entries of 2^32 rounds ago would look new
		t.entries = make([]gateEntry, 1024)
		t.round = 1
	}
}

// find returns the entry of g, or a free one made ready for it.
func (t *gateTable) find(g gate) *gateEntry {
	const odd = 0x9e3779b97f4a7c15
	h := (uint64(g.a)<<32 | uint64(g.b)) * odd
	h = (h ^ h>>32 ^ uint64(g.c)<<8 ^ uint64(g.kind)) * odd
	for i := h >> 32; ; i++ {
		e := &t.entries[i&uint64(len(t.entries)-1)]
		if e.round != t.round {
			*e = gateEntry{gate: g, round: t.round}
			return e
		}
		if e.gate == g {
			return e
		}
	}
}

// added notes that an entry has come into use; none found before it is valid
// any more.
func (t *gateTable) added() {
	if t.count++; 2*t.count < len(t.entries) {
		return
	}
	old := t.entries
	t.entries = make([]gateEntry, 2*len(old))
	for _, e := range old {
		if e.round == t.round {
			*t.find(e.gate) = e
		}
	}
}
