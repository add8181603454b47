package fragment

import "golang.org/x/tools/go/ssa"

// Memory is what is known of memory because of a frame: what must hold of it in every run in which
// the context is reached.
type Memory struct {
	// Holds has stores and loads on every path to the frame's instruction. What they have stored or
	// loaded is what is there when the context is reached.
	Holds map[ssa.Instruction]bool
	// Zero has variables that every path makes, and which of their fields are as they were made;
	// Whole stands for all of a variable.
	Zero map[*ssa.Alloc][]int
	// Fresh has the channels that every path makes, and with which nothing has been done since.
	Fresh map[ssa.Value]bool
	// Filled has variables of the frame's function that are not nil when the frame is at its
	// instruction, if they are an input.
	Filled map[*ssa.Alloc]bool
	// Contents has captured variables of which it is known what is in them then.
	Contents map[*ssa.FreeVar]Content
}

// Whole is the number of a field that stands for the whole variable.
const Whole = -1
