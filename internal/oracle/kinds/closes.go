package kinds

import (
	"slices"

	"github.com/everyway-go/everyway/internal/oracle"
)

// Programs whose goroutines wait at channels that are closed. They have the shapes that can be
// taken for something simpler than they are:
//
//   - Several goroutines select from two or three channels that they have in common, and whoever
//     closes one of these keeps them from meeting at another.
//   - A variable or a channel has had a value that is not there any more when somebody else may see
//     that there is nothing: it has been reset. What comes later comes to the same state whether
//     somebody has seen it or not.
//   - A goroutine waits to receive, and the channel is closed.
//   - A channel is closed by the first of several, as contexts are: by an atomic variable, a lock,
//     both, or a sync.Once.
//   - Goroutines wait for a condition variable, for others by a wait group, or for a sync.Once. The
//     target has phases, at the end of which it waits for those that it has started in the phase.
//
// In a part of the programs all have one of the first two shapes, and in the others there is anything.

// closes draws such a program.
func (g *generator) closes() {
	for {
		g.p = &oracle.Program{Seed: g.p.Seed, Mode: g.p.Mode}
		c := &closing{generator: g}
		c.draw()
		g.p.Groups = c.phase
		if g.p.Number() <= oracle.MaxStatements {
			return
		}
	}
}

// A closing draws a program of closes.
type closing struct {
	*generator
	data   int // number of channels with values, which come first
	phase  int // being drawn, from 1
	shape  shape
	common []int // the channels of selects, nil if they may have any
	value  int   // that variables and channels often have, for a while
	joins  bool  // the target waits for the goroutine that is being drawn, before it goes on
}

// A shape says what the goroutines of a program do most of the time.
type shape uint8

const (
	anything  shape = iota
	meeting         // they select from the same channels
	resetting       // they wait at a channel, which has had another value by the time it is closed
	shapes
)

// closers are the ways to close a channel once.
const (
	closeSwaps = iota
	closeLocks
	closeChecks
	closeOnce
	closePlainly
	closers
)

// draw draws the objects, and the goroutines of one phase after the other.
func (c *closing) draw() {
	p := c.p
	c.data = 1 + c.IntN(2)
	c.shape, c.value = shape(c.IntN(int(shapes))), 1+c.IntN(2)
	for range c.data {
		p.Chans = append(p.Chans, c.IntN(2))
	}
	switch c.shape {
	case meeting:
		p.Chans[0] = 0
	case resetting:
		p.Chans[0] = 1
	}
	for range 1 + c.IntN(2) {
		p.Chans = append(p.Chans, 0)
	}
	p.Atoms, p.Locks, p.Onces = 1+len(p.Chans), 1, len(p.Chans)
	if c.one(3) {
		p.Conds = 1
	}
	if p.Mode == oracle.Racy && c.one(2) {
		p.Plains = 1
	}
	p.Bodies = make([][]oracle.Stmt, 1)
	phases := 1 + c.IntN(3)
	left := 2 + c.IntN(oracle.MaxBodies-2)
	switch c.shape {
	case meeting:
		c.common = []int{0, c.data}
		if c.one(3) {
			c.common = c.Perm(len(p.Chans))
		}
		phases, left = 1+c.IntN(2), max(left, 3)
	case resetting:
		phases, left = 3, max(left, 5)
	}
	for c.phase = 1; c.phase <= phases && left > 0; c.phase++ {
		n := min(left, 1+c.IntN(3))
		switch {
		case c.shape == resetting && c.phase == 1:
			n = 1
		case c.shape == resetting && c.phase == 2:
			n = 2
		case c.phase == phases:
			n = min(left, 3)
		}
		left -= n
		c.joins = c.phase > 1 && !c.one(4) || c.one(2)
		if c.shape != anything && !c.one(6) {
			c.joins = c.shape == resetting && c.phase > 1
		}
		group := c.phase - 1
		if c.joins {
			c.add(oracle.Stmt{Op: oracle.GroupAdd, Obj: group, X: oracle.Expr{Const: n}})
		}
		for range n {
			body := len(p.Bodies)
			p.Bodies = append(p.Bodies, nil)
			c.body = body
			var list []oracle.Stmt
			for k := range 1 + c.IntN(2) {
				if k == 0 || c.shape != resetting || c.one(2) {
					list = append(list, c.act(0)...)
				}
			}
			if c.joins {
				list = append(list, oracle.Stmt{Op: oracle.GroupDone, Obj: group})
			}
			p.Bodies[body] = list
			c.add(oracle.Stmt{Op: oracle.Spawn, Obj: body})
		}
		c.body = 0
		if c.joins {
			c.add(oracle.Stmt{Op: oracle.GroupWait, Obj: group})
		}
		if c.one(4) {
			c.add(c.act(0)...)
		}
	}
	c.phase--
	for _, ch := range c.Perm(len(p.Chans)) {
		if c.one(2) || c.shape == resetting && ch == 0 {
			c.add(c.close(ch, 0)...)
		}
	}
	switch c.IntN(4) {
	case 0:
		c.add(oracle.Stmt{Op: oracle.Recv, Obj: c.IntN(len(p.Chans))})
	case 1, 2:
		c.add(c.probe(0)...)
	}
}

// add adds statements to the target.
func (c *closing) add(list ...oracle.Stmt) { c.p.Bodies[0] = append(c.p.Bodies[0], list...) }

// act draws what a goroutine does: one statement, or several that belong together.
func (c *closing) act(depth int) []oracle.Stmt {
	p := c.p
	value := c.value
	if c.one(3) {
		value = 1 + c.IntN(2)
	}
	local := func() int { return c.IntN(oracle.Locals) }
	kind := c.IntN(13)
	switch {
	case c.shape == meeting && depth == 0 && !c.joins && !c.one(4):
		kind = []int{0, 0, 0, 5, 5, 3}[c.IntN(6)]
	case c.shape == resetting && c.phase == 1 && !c.one(4):
		kind = []int{0, 3}[c.IntN(2)]
	case c.shape == resetting && c.phase == 2 && !c.one(4):
		if kind = 7; c.body&1 != 0 {
			kind += 1 + c.IntN(2)
		}
	case c.shape == resetting && c.phase == 3 && !c.one(4):
		kind = []int{5, 8, 9, 9, 10, 12}[c.IntN(6)]
	case c.joins && kind <= 4 && !c.one(4):
		kind = 5 + c.IntN(8) // what does not block
	}
	switch kind {
	case 0, 1, 2:
		return c.selects(depth)
	case 3:
		r, ch := local(), c.IntN(len(p.Chans))
		if c.shape == resetting && c.phase == 1 {
			ch = 0
		}
		return append([]oracle.Stmt{{Op: oracle.Recv, Obj: ch, Dst: r}}, c.check(r, depth)...)
	case 4:
		r := local()
		return append([]oracle.Stmt{{Op: oracle.Recv, Obj: c.data + c.IntN(len(p.Chans)-c.data), Dst: r}}, c.act2(depth)...)
	case 5, 6:
		if c.one(6) {
			return c.close(c.IntN(c.data), depth)
		}
		return c.close(c.data+c.IntN(len(p.Chans)-c.data), depth)
	case 7: // a value that is sent, and often taken back
		r, ch := local(), c.IntN(c.data)
		if c.shape == resetting && c.phase == 2 {
			ch = 0
		}
		list := []oracle.Stmt{{Op: oracle.Load, Obj: 0, Dst: r}, {Op: oracle.Send, Obj: ch, X: oracle.Expr{Kind: oracle.Local, Index: r}}}
		if c.shape != resetting && c.one(3) || c.one(6) {
			list = []oracle.Stmt{{Op: oracle.Send, Obj: ch, X: oracle.Expr{Const: value}}}
		}
		if p.Chans[ch] > 0 && !c.one(3) {
			back := oracle.Stmt{Op: oracle.Recv, Obj: ch, Dst: local()}
			if c.one(3) {
				back = oracle.Stmt{Op: oracle.Select, Case: []oracle.Case{{Chan: ch, Dst: local()}}, Default: true, Dst: local()}
			}
			list = append(list, back)
		}
		return list
	case 8: // a variable that is reset
		list := []oracle.Stmt{{Op: oracle.Store, Obj: 0, X: oracle.Expr{Const: value}}}
		if !c.one(4) {
			list = append(list, oracle.Stmt{Op: oracle.Store, Obj: 0})
		}
		return list
	case 9: // or changed and changed back by two
		s := oracle.Stmt{Op: oracle.Swap, Obj: 0, Y: oracle.Expr{Const: 1}, Dst: local()}
		if c.one(2) {
			s.X, s.Y = s.Y, s.X
		}
		return []oracle.Stmt{s}
	case 10:
		return c.probe(depth)
	case 11:
		if p.Conds == 0 {
			return c.selects(depth)
		}
		r := local()
		list := []oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Load, Obj: 0, Dst: r}, {Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Rel: oracle.Rel(c.IntN(2)), Then: []oracle.Stmt{{Op: oracle.CondWait}}}}
		if c.one(2) {
			list = append(list, oracle.Stmt{Op: oracle.Load, Obj: 0, Dst: r})
			list = append(list, c.check(r, depth)...)
		}
		return append(list, oracle.Stmt{Op: oracle.Unlock})
	default:
		wake := oracle.Stmt{Op: oracle.Broadcast}
		if c.one(2) {
			wake.Op = oracle.Signal
		}
		if p.Conds == 0 {
			wake = oracle.Stmt{Op: oracle.Store, Obj: 0}
		}
		list := []oracle.Stmt{{Op: oracle.Lock}, {Op: oracle.Store, Obj: 0, X: oracle.Expr{Const: value}}, {Op: oracle.Unlock}}
		if p.Plains > 0 {
			list = slices.Insert(list, c.IntN(4), oracle.Stmt{Op: oracle.Set, X: oracle.Expr{Const: value}})
		}
		return slices.Insert(list, 2+c.IntN(len(list)-1), wake)
	}
}

// act2 is act after another one, often nothing.
func (c *closing) act2(depth int) []oracle.Stmt {
	if depth > 0 || c.one(2) {
		return nil
	}
	return c.act(depth + 1)
}

// selects draws a select from channels that others select from, too.
func (c *closing) selects(depth int) []oracle.Stmt {
	s := oracle.Stmt{Op: oracle.Select, Dst: c.IntN(oracle.Locals), Default: c.one(6) || c.joins && !c.one(4)}
	of := c.Perm(len(c.p.Chans))
	of = of[:min(2+c.IntN(2), len(of))]
	if c.common != nil {
		of = slices.Clone(c.common)
		c.Shuffle(len(of), func(i, k int) { of[i], of[k] = of[k], of[i] })
	}
	for _, ch := range of {
		k := oracle.Case{Chan: ch, Dst: c.IntN(oracle.Locals)}
		if sends := c.one(2); ch < c.data && (sends && c.shape != meeting || c.shape == meeting && (c.body&1 == 0) != c.one(5)) {
			k.Send, k.X = true, oracle.Expr{Const: 1 + c.IntN(2)}
		}
		s.Case = append(s.Case, k)
	}
	r := s.Dst
	if c.one(3) {
		for _, k := range s.Case {
			if !k.Send {
				r = k.Dst
			}
		}
	}
	return append([]oracle.Stmt{s}, c.check(r, depth)...)
}

// check draws a statement that makes a difference if a local variable has some value.
func (c *closing) check(r, depth int) []oracle.Stmt {
	s := oracle.Stmt{Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Y: oracle.Expr{Const: c.IntN(4) - 1}, Rel: oracle.Rel(c.IntN(2))}
	if c.shape == resetting && c.phase == 1 && !c.one(4) {
		s.Y, s.Rel = oracle.Expr{Const: c.value}, oracle.Equal
	}
	switch {
	case c.one(3):
		s.Then = []oracle.Stmt{{Op: oracle.Panic}}
	case depth == 0 && c.one(2):
		s.Then = c.act(depth + 1)
	default:
		s.Then = []oracle.Stmt{{Op: oracle.Note, Dst: r, Show: true}}
	}
	return []oracle.Stmt{s}
}

// probe draws a look at what there is now, and something that depends on it.
func (c *closing) probe(depth int) []oracle.Stmt {
	r := c.IntN(oracle.Locals)
	switch c.IntN(4) {
	case 0:
		return append([]oracle.Stmt{{Op: oracle.Select, Case: []oracle.Case{{Chan: c.IntN(len(c.p.Chans)), Dst: r}}, Default: true, Dst: (r + 1) % oracle.Locals}}, c.check(r+c.IntN(2)*((r+1)%oracle.Locals-r), depth)...)
	case 1:
		if c.p.Plains > 0 {
			return append([]oracle.Stmt{{Op: oracle.Get, Dst: r}}, c.check(r, depth)...)
		}
	}
	return append([]oracle.Stmt{{Op: oracle.Load, Obj: c.IntN(c.p.Atoms), Dst: r}}, c.check(r, depth)...)
}

// close draws statements that close a channel unless it has been closed.
func (c *closing) close(ch, depth int) []oracle.Stmt {
	flag, r := 1+ch, c.IntN(oracle.Locals)
	list := []oracle.Stmt{{Op: oracle.Close, Obj: ch}}
	unless := func(list []oracle.Stmt) []oracle.Stmt {
		return []oracle.Stmt{{Op: oracle.Load, Obj: flag, Dst: r}, {Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Rel: oracle.Equal, Then: list}}
	}
	set := append([]oracle.Stmt{{Op: oracle.Store, Obj: flag, X: oracle.Expr{Const: 1}}}, list...)
	if c.one(2) {
		slices.Reverse(set)
	}
	locked := func(list []oracle.Stmt) []oracle.Stmt {
		return slices.Concat([]oracle.Stmt{{Op: oracle.Lock}}, list, []oracle.Stmt{{Op: oracle.Unlock}})
	}
	switch c.IntN(closers) {
	case closeSwaps:
		return []oracle.Stmt{{Op: oracle.Swap, Obj: flag, Y: oracle.Expr{Const: 1}, Dst: r}, {Op: oracle.If, X: oracle.Expr{Kind: oracle.Local, Index: r}, Rel: oracle.Equal, Y: oracle.Expr{Const: 1}, Then: list}}
	case closeLocks:
		return locked(unless(set))
	case closeChecks:
		return unless(locked(unless(set)))
	case closeOnce:
		return []oracle.Stmt{{Op: oracle.Once, Obj: ch, Then: unless(set)}}
	}
	if c.body != 0 || depth > 0 {
		return unless(set) // two may close it
	}
	return unless(list)
}
