package regalloc

import "slices"

// A Function is what allocation needs to know about a function.
type Function struct {
	Params int32   // registers of the parameters, which are the first ones
	Blocks []Block // in the order of their code; the first is where the function begins
	// Recover is the block that is executed after a recovered panic, when no other block
	// leads to it; 0 for none. What it reads is kept until the end of the function.
	Recover int
	Entry   []*Node // written before the first block, in addition to the parameters
	Copies  []Copy

	nodes []*Node
}

// NewNode adds a node of so many words to f.
func (f *Function) NewNode(words int) *Node {
	n := &Node{Words: words, id: int32(len(f.nodes))}
	f.nodes = append(f.nodes, n)
	return n
}

// A Node is something that needs registers: a value, or a variable.
type Node struct {
	Words int
	// Early is set when the node is written while operands of the instruction that
	// writes it are still needed.
	Early bool
	// Fixed is set on parameters: Reg is given.
	Fixed bool
	Reg   int32 // the first of its registers, given by Allocate

	id     int32
	ranges []span // when it holds something; in ascending order once liveness is computed
	web    *web
}

// HoldsAfter reports whether the registers of n hold its value when an instruction of a block
// has been executed, before anything else is.
func (f *Function) HoldsAfter(n *Node, block, instr int) bool {
	t := 2*(f.Blocks[block].first+1+int32(instr)) + 1
	return slices.ContainsFunc(n.ranges, func(s span) bool { return s.from <= t && t < s.to })
}

// Live reports whether n ever holds something: if not, it has no registers.
func (n *Node) Live() bool { return len(n.ranges) > 0 }

// A Block is a sequence of instructions that is entered only at its beginning and left
// only at its end.
type Block struct {
	Instrs []Instr
	Succs  []int   // the blocks that follow
	Out    []*Node // read at its end, by the phis of the blocks that follow

	first int32 // the number of its entry
}

// An Instr says what an instruction reads and writes.
type Instr struct {
	Uses []*Node // read; what a phi reads is in Block.Out
	Def  *Node   // written; nil for none
	Part bool    // only a part of Def is written
	Phi  bool    // Def is written at the entry of the block
	// Call is the call that the instruction is, nil for none.
	Call *Call
	// Unread is set by Allocate when what the instruction writes is never read.
	Unread bool
}

// A Copy is a place where the value of one node moves to another. Allocate tries to give
// both the same registers.
type Copy struct {
	To, From *Node
	Loops    int // the number of loops that the place is in
}

// A Call is a call with a window of registers for arguments and results.
type Call struct {
	Result *Node // nil for none
	// Args are the arguments that are for this call only.
	Args []Arg
	// Func is the node that holds the function or interface that is called, up to word
	// FuncEnd; nil when what is called is not in registers.
	Func    *Node
	FuncEnd int32

	at int32 // the number of the instruction
}

// An Arg is an argument and its place in the window.
type Arg struct {
	Node   *Node
	Offset int32
}
