package expr

import "slices"

// Copy builds the expression x of another arena in a and returns its ID there.
func (a *Arena) Copy(from *Arena, x ID) ID {
	c := Copier{To: a, From: from}
	return c.Copy(x)
}

// A Copier builds expressions of one arena in another, shared subexpressions once.
type Copier struct {
	To, From *Arena
	done     []ID // by ID in From, None if not built yet
	stack    []ID
}

// Restart prepares for expressions of From, some of whose IDs may name others now.
func (c *Copier) Restart() { clear(c.done) }

// Copy returns the ID of an expression of From in To.
func (c *Copier) Copy(x ID) ID {
	if c.From == c.To || x == None {
		return x
	}
	if n := len(c.From.nodes); len(c.done) < n {
		c.done = append(c.done, make([]ID, n-len(c.done))...)
	}
	c.stack = append(c.stack[:0], x)
	for len(c.stack) > 0 {
		x := c.stack[len(c.stack)-1]
		n := &c.From.nodes[x]
		waiting := false
		for _, arg := range c.From.operands(n) {
			if c.done[arg] == None {
				c.stack = append(c.stack, arg)
				waiting = true
			}
		}
		if waiting {
			continue
		}
		c.stack = c.stack[:len(c.stack)-1]
		if c.done[x] == None {
			c.done[x] = c.node(x)
		}
	}
	return c.done[x]
}

// node builds an expression whose operands have been built. It is as simple as it gets:
// the same expression is the same in every arena.
func (c *Copier) node(x ID) ID {
	n := &c.From.nodes[x]
	switch n.op {
	case Var:
		return c.To.VarOfRun(c.From.names[n.args[0]], n.width)
	case Const:
		return c.To.intern(*n)
	case Table:
		args := slices.Clone(c.From.operands(n))
		for i, arg := range args {
			args[i] = c.done[arg]
		}
		return c.To.Rebuild(c.From, x, args)
	}
	same := *n
	for i := range n.op.NumArgs() {
		same.args[i] = c.done[n.args[i]]
	}
	return c.To.intern(same)
}
