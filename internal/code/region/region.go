package region

import (
	"fmt"
	"slices"
	"strings"
)

// A Region is the code from a conditional jump to where its two sides meet again,
// when everything in between only computes: values move from registers to registers,
// nothing can fail, no instruction is executed twice, and there is no other effect.
// So both sides can be executed and their results chosen by the condition:
// veritesting (Avgerinos, Rebert, Cha, Brumley: Enhancing Symbolic Execution with
// Veritesting, ICSE 2014), section 3, without its system calls and unresolved jumps.
//
// The place where the sides meet is the immediate post-dominator of the jump. A call is
// part of a region when the whole function called is like one.
//
// A region of several jumps may have two ends: the tests of a condition with && and ||,
// for instance, decide together which of two ways the program takes. Which of the ends
// is reached is then one condition.
type Region struct {
	Head int    // the conditional jump
	Ends [2]int // where the sides meet, len(Code) for the end of the function; -1 for no second end
	Size int    // instructions before the ends, including those of functions called
	// Counted is set when branches before the ends are counted (code.Program.Branches).
	Counted bool
}

// A Set has the regions of a function, in the order of their heads. Each jump within a
// region is the head of another one, which ends no later, or, if there are two ends, one
// of the tests, with the same ends.
type Set struct {
	List []Region
	// Whole is the region of all of the function, from its beginning to its end, when it
	// does nothing but compute; otherwise nil.
	Whole *Region
}

// At returns the region of the jump at instruction head, nil when it has none.
func (s *Set) At(head int) *Region {
	i, ok := slices.BinarySearchFunc(s.List, head, func(r Region, head int) int { return r.Head - head })
	if !ok {
		return nil
	}
	return &s.List[i]
}

// String lists the regions, one a line.
func (s *Set) String() string {
	var b strings.Builder
	for _, r := range s.List {
		fmt.Fprintf(&b, "region %d to %d", r.Head, r.Ends[0])
		if r.Ends[1] >= 0 {
			fmt.Fprintf(&b, " or %d", r.Ends[1])
		}
		fmt.Fprintf(&b, ": size %d\n", r.Size)
	}
	if s.Whole != nil {
		fmt.Fprintf(&b, "whole: size %d\n", s.Whole.Size)
	}
	return b.String()
}
