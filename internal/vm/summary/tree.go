package summary

import "github.com/everyway-go/everyway/internal/code"

// A Tree is the summary of a function from an instruction on: a decision tree over its paths.
//
// Values are numbered. The first are the contents of the registers that are needed at the
// instruction; each step may add others. Values of different paths may have the same number.
type Tree struct {
	PC      int32   // the instruction
	Formals []int32 // the registers whose contents are the first values
	Values  int     // the greatest number of values on a path
	Objects int     // the greatest number of objects on a path
	Frames  int     // the greatest number of frames on a path, that of the function included
	Fuel    int64   // the most that a path takes
	Mixes   bool    // it has operations from whose results it is hard to tell what their operands were
	Root    *Node
	Size    Size
}

// Size says how large a tree is, and what its leaves are.
type Size struct {
	Nodes      int
	Returns    int // paths that come to the function's return
	Cut        int // paths that end before what a summary does not cover: a visible operation, a map, an interface
	Bounded    int // paths that are too long
	Infeasible int // sides of conditions that no input can take
	Queries    int // that construction has made
}

// A Node is a piece of a path without a choice: steps, and what they lead to.
type Node struct {
	Steps []Step
	End   End
	// Jump is the conditional jump of a Branch, on values in the place of registers. PC is the
	// place of the instruction with which the node ends, and On the pointer of a Nil or Shape.
	Jump code.Instr
	PC   int32
	On   int32
	// Next has the nodes that follow, nil for those that the tree does not have. After a Branch or
	// Nil, it is first the one for a jump that is not taken, and then the one for a jump that is;
	// after a Shape, first those for the objects of the path in their order, and then the one for
	// another object.
	Next []*Node
	Fuel int64 // what a jump takes if it is taken
	// Exit is the state before the instruction with which the node ends.
	Exit *Exit
	// Instructions is how many instructions are executed on the path to the end of the node, and
	// Reads and Writes how many cells they access.
	Instructions, Reads, Writes int
	Why                         string // of leaves: what comes then
}

// An End is how a node ends.
type End uint8

// The ends of nodes.
const (
	Leaf   End = iota // the code goes on
	Branch            // a conditional jump on numbers
	Nil               // a conditional jump on whether a pointer is nil
	Shape             // a pointer leads to one of the objects of the path, or to another one
)

// A StepKind is a kind of step.
type StepKind uint8

// The kinds of steps. Most are about the instruction In, in which values stand for registers.
const (
	Compute  StepKind = iota // one word from one or two others
	Constant                 // In.K words of constant In.B of the function, from value In.A on
	Divisor                  // value In.C must not be zero
	Count                    // value In.C, of kind In.D, must not be negative
	Point                    // value In.A is the pointer In.B, which must not be nil and becomes concrete
	Fix                      // value In.A is value In.B, which becomes concrete
	Length                   // value In.B must be greater than In.C
	Load                     // values from In.A on are the In.K cells at pointer In.B + In.C
	Again                    // a Load of what is known: an access, but nothing to read
	Store                    // the In.K cells at pointer In.A + In.C become the values from In.B on
	New                      // value In.A is a new object of type Types[In.D] of the function
	Cover                    // branch In.A of the program has been taken
	Enter                    // a call of Callees[In.B] of the function, with the window at register In.A
	Leave                    // the return from it
	Spend                    // a jump back, which takes In.A
)

// A Step is one of the things that happen on a path.
type Step struct {
	Kind StepKind
	PC   int32
	Cell code.Kind // of the cell of a Load or Store of one cell
	In   code.Instr
	Exit *Exit // the state before, for steps that may leave their work to the code
}

// An Exit is a state in which the code of the function goes on: frames, from that of the function
// to that of the innermost call, and what the path has written to memory so far.
type Exit struct {
	Frames []Frame
	Writes []Write
}

// A Frame says where a frame is, and the values of those of its registers that are needed.
type Frame struct {
	PC   int32
	Regs []Register
}

// A Register is a register with its value.
type Register struct{ Reg, Value int32 }

// A Write is the last write to a cell: at pointer To + Off.
type Write struct{ To, Off, Value int32 }

// least is how many instructions a path has to have for its summary to be worth anything.
const least = 4

// Worth reports whether the tree may be worth walking.
func (t *Tree) Worth() bool { return t.Root.End != Leaf || t.Root.Instructions >= least }
