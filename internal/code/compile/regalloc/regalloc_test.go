package regalloc_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/everyway-go/everyway/internal/code/compile/regalloc"
)

// TestAllocate executes random functions on the registers that they are given, and
// compares what each instruction reads with what was written last. Scratch registers and
// windows are overwritten at every instruction.
func TestAllocate(t *testing.T) {
	shared := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		g := generate(r)
		m := &machine{generated: g, values: make(map[*regalloc.Node]int), shared: make(map[int32]*regalloc.Node)}
		m.allocate()
		if err := m.run(r); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(m.shared) < len(g.nodes) {
			shared++
		}
	}
	if shared < 1000 {
		t.Errorf("nodes share registers in %d functions only", shared)
	}
}

// A generated is a random function.
type generated struct {
	fn    *regalloc.Function
	nodes []*regalloc.Node
	phis  [][]phi // by block
	copy  map[*regalloc.Instr]bool
}

// A phi is a node that is written on the edges to its block: what it gets from a block,
// by the index of that.
type phi struct {
	node *regalloc.Node
	from map[int]*regalloc.Node
}

// generate returns a function whose nodes are all written in its first block before
// others read them. Its last block is the one for recovered panics, if it has one.
func generate(r *rand.Rand) *generated {
	g := &generated{fn: new(regalloc.Function), copy: make(map[*regalloc.Instr]bool)}
	for range 1 + r.IntN(3) {
		n := g.newNode(r)
		n.Fixed, n.Reg = true, g.fn.Params
		g.fn.Params += int32(n.Words)
	}
	params := len(g.nodes)
	for range 2 + r.IntN(10) {
		g.newNode(r)
	}
	g.fn.Entry = g.nodes[params : params+1]
	blocks := 2 + r.IntN(6)
	g.fn.Blocks = make([]regalloc.Block, blocks)
	g.phis = make([][]phi, blocks)
	targets := blocks
	if r.IntN(3) == 0 && blocks > 2 {
		targets--
		g.fn.Recover = blocks - 1
	}
	for i := range g.fn.Blocks {
		b := &g.fn.Blocks[i]
		if i == 0 {
			for _, n := range g.nodes[params+1:] {
				b.Instrs = append(b.Instrs, regalloc.Instr{Def: n})
			}
			b.Succs = []int{1}
		} else if i < targets {
			for range r.IntN(3) {
				b.Succs = append(b.Succs, 1+r.IntN(targets-1))
			}
			b.Succs = slices.Compact(b.Succs)
			for range r.IntN(8) {
				b.Instrs = append(b.Instrs, g.instr(r))
			}
		} else {
			b.Instrs = []regalloc.Instr{{Uses: []*regalloc.Node{g.any(r), g.any(r)}}}
		}
	}
	for i := range g.fn.Blocks {
		b := &g.fn.Blocks[i]
		for j := range b.Instrs {
			if in := &b.Instrs[j]; g.isCopy(in) && r.IntN(2) == 0 {
				g.copy[in] = true
				g.fn.Copies = append(g.fn.Copies, regalloc.Copy{To: in.Def, From: in.Uses[0], Loops: r.IntN(3)})
			}
		}
	}
	for i := 2; i < targets; i++ {
		for range r.IntN(3) {
			g.addPhi(r, i)
		}
	}
	return g
}

func (g *generated) newNode(r *rand.Rand) *regalloc.Node {
	n := g.fn.NewNode(1 + r.IntN(3))
	n.Early = r.IntN(2) == 0
	g.nodes = append(g.nodes, n)
	return n
}

func (g *generated) any(r *rand.Rand) *regalloc.Node { return g.nodes[r.IntN(len(g.nodes))] }

// instr returns a random instruction.
func (g *generated) instr(r *rand.Rand) (in regalloc.Instr) {
	for range r.IntN(4) {
		in.Uses = append(in.Uses, g.any(r))
	}
	if r.IntN(3) > 0 {
		if in.Def = g.any(r); slices.Contains(in.Uses, in.Def) && in.Def.Early {
			in.Def = nil
		}
	}
	switch r.IntN(5) {
	case 0:
		in.Call = new(regalloc.Call)
		if in.Def != nil && !in.Def.Early {
			in.Call.Result = in.Def
		}
		for _, n := range in.Uses {
			in.Call.Args = append(in.Call.Args, regalloc.Arg{Node: n, Offset: int32(r.IntN(3))})
		}
		if len(in.Uses) > 0 {
			in.Call.Func, in.Call.FuncEnd = in.Uses[0], 1
		}
	case 1:
		if in.Def != nil && !in.Def.Early {
			in.Part = true
			in.Uses = append(in.Uses, in.Def)
		}
	}
	return in
}

// isCopy reports whether in can be a move from one node to another.
func (g *generated) isCopy(in *regalloc.Instr) bool {
	return in.Call == nil && !in.Part && in.Def != nil && len(in.Uses) == 1 && in.Uses[0] != in.Def && in.Uses[0].Words == in.Def.Words
}

// addPhi adds a phi to a block.
func (g *generated) addPhi(r *rand.Rand, block int) {
	p := phi{node: g.any(r), from: make(map[int]*regalloc.Node)}
	if slices.ContainsFunc(g.phis[block], func(q phi) bool { return q.node == p.node }) {
		return
	}
	for i := range g.fn.Blocks {
		b := &g.fn.Blocks[i]
		if !slices.Contains(b.Succs, block) {
			continue
		}
		from := g.any(r)
		for from.Words != p.node.Words {
			from = g.any(r)
		}
		p.from[i] = from
		b.Out = append(b.Out, from)
		g.fn.Copies = append(g.fn.Copies, regalloc.Copy{To: p.node, From: from})
	}
	g.phis[block] = append(g.phis[block], p)
	b := &g.fn.Blocks[block]
	g.replace(b, append([]regalloc.Instr{{Def: p.node, Phi: true}}, b.Instrs...))
}

// replace changes the instructions of a block, which are known by their addresses.
func (g *generated) replace(b *regalloc.Block, instrs []regalloc.Instr) {
	added := len(instrs) - len(b.Instrs)
	for j := range b.Instrs {
		if g.copy[&b.Instrs[j]] {
			g.copy[&instrs[j+added]] = true
		}
	}
	b.Instrs = instrs
}

// A machine executes a function. A register holds the value of the word of a node.
type machine struct {
	*generated
	scratch, window [][]int32 // by block and instruction
	end             int32     // scratch registers behind all blocks

	regs   []int
	values map[*regalloc.Node]int
	next   int
	shared map[int32]*regalloc.Node // the last node that was written, by register
}

// allocate gives registers to the nodes, and finds out which are free where.
func (m *machine) allocate() {
	a := regalloc.Allocate(m.fn)
	for i := range m.fn.Blocks {
		b := &m.fn.Blocks[i]
		scratch, window := make([]int32, len(b.Instrs)), make([]int32, len(b.Instrs))
		a.EnterBlock(i)
		for j := range b.Instrs {
			a.EnterInstr(i, j)
			scratch[j] = a.Scratch(1)
			if call := b.Instrs[j].Call; call != nil {
				window[j] = a.Window(call)
			}
		}
		m.scratch, m.window = append(m.scratch, scratch), append(m.window, window)
	}
	a.EnterEnd()
	m.end = a.Scratch(1)
	m.regs = make([]int, a.Regs()+1)
}

// run executes blocks, at random where there is a choice.
func (m *machine) run(r *rand.Rand) error {
	for _, n := range m.nodes {
		if n.Fixed || n == m.fn.Entry[0] {
			m.write(n, m.fresh())
		}
	}
	at := 0
	for range 60 {
		b := &m.fn.Blocks[at]
		for j := range b.Instrs {
			if at > 0 && m.fn.Recover > 0 && at != m.fn.Recover && r.IntN(20) == 0 {
				m.clobber(m.end)
				at = m.fn.Recover
				return m.instr(at, 0)
			}
			if err := m.instr(at, j); err != nil {
				return err
			}
		}
		if len(b.Succs) == 0 {
			break
		}
		next := b.Succs[r.IntN(len(b.Succs))]
		if err := m.edge(at, next); err != nil {
			return err
		}
		at = next
	}
	return nil
}

// instr executes an instruction.
func (m *machine) instr(block, j int) error {
	in := &m.fn.Blocks[block].Instrs[j]
	if in.Phi {
		return nil
	}
	m.clobber(m.scratch[block][j])
	value := m.fresh()
	if m.copy[in] {
		value = m.values[in.Uses[0]]
	}
	if in.Def != nil && in.Def.Early {
		m.write(in.Def, value)
	}
	for _, n := range in.Uses {
		if err := m.check(n); err != nil {
			return fmt.Errorf("block %d, instruction %d: %w", block, j, err)
		}
	}
	if in.Call != nil {
		m.clobber(m.window[block][j])
	}
	if in.Def != nil && !(in.Def.Early && in.Call == nil) {
		m.write(in.Def, value)
	}
	m.clobber(m.scratch[block][j])
	return nil
}

// edge sets the phis of a block that is entered from another one.
func (m *machine) edge(from, to int) error {
	m.clobber(m.end)
	var values []int
	for _, p := range m.phis[to] {
		if err := m.check(p.from[from]); err != nil {
			return fmt.Errorf("from block %d to %d: %w", from, to, err)
		}
		values = append(values, m.values[p.from[from]])
	}
	for k, p := range m.phis[to] {
		m.write(p.node, values[k])
	}
	return nil
}

// fresh returns a new value.
func (m *machine) fresh() int {
	m.next += 10
	return m.next
}

// write gives a value to a node, if it has registers.
func (m *machine) write(n *regalloc.Node, value int) {
	m.values[n] = value
	if !n.Live() {
		return
	}
	for w := range n.Words {
		m.regs[n.Reg+int32(w)] = value + w
	}
	m.shared[n.Reg] = n
}

// check checks that the registers of a node hold its value.
func (m *machine) check(n *regalloc.Node) error {
	for w := range n.Words {
		if got, want := m.regs[n.Reg+int32(w)], m.values[n]+w; got != want {
			return fmt.Errorf("register %d holds %d, want %d", n.Reg+int32(w), got, want)
		}
	}
	return nil
}

// clobber overwrites the registers from one on.
func (m *machine) clobber(from int32) {
	for i := from; i < int32(len(m.regs)); i++ {
		m.regs[i] = -1
	}
}
