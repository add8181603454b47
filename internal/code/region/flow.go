package region

import (
	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/code/dominance"
)

// A flow is the control flow of a function: a graph over its instructions and its end,
// len(f.Code). Copies of the head of a loop are taken for the head.
type flow struct{ f *code.Func }

// isTest reports whether instruction i is a conditional jump.
func (fl flow) isTest(i int) bool {
	next, target := fl.f.Code[i].Flow()
	return next && target >= 0
}

// successors returns where execution can continue after instruction i.
func (fl flow) successors(i int) []int {
	next, target := fl.f.Code[i].Flow()
	var list []int
	if next {
		list = append(list, fl.f.Origin(i+1))
	}
	if target >= 0 {
		list = append(list, fl.f.Origin(target))
	}
	if len(list) == 0 {
		list = append(list, len(fl.f.Code))
	}
	return list
}

// predecessors returns, for each instruction and the end of the function, the
// instructions after which execution can continue there.
func (fl flow) predecessors() [][]int {
	end := len(fl.f.Code)
	before := make([][]int, end+1)
	seen := make([]bool, end+1)
	seen[0], seen[end] = true, true
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range fl.successors(i) {
			before[s] = append(before[s], i)
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return before
}

// postDominators returns the immediate post-dominator of each instruction, len(f.Code) for the end
// of the function, or -1 when the end cannot be reached; before is what predecessors returns.
func (fl flow) postDominators(before [][]int) []int {
	end := len(fl.f.Code)
	post, _ := dominance.Post(end+1, end, func(i int) int { return i }, fl.successors, func(i int) []int { return before[i] })
	return post[:end]
}
