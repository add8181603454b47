package region

import "github.com/everyway-go/everyway/internal/code"

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

// postDominators returns the immediate post-dominator of each instruction, len(f.Code)
// for the end of the function, or -1 when the end cannot be reached (Cooper, Harvey,
// Kennedy: A Simple, Fast Dominance Algorithm, 2001, on the reversed graph).
func (fl flow) postDominators(before [][]int) []int {
	end := len(fl.f.Code)
	number, order := fl.postorder(before)
	meet := make([]int, end+1)
	for i := range meet {
		meet[i] = -1
	}
	meet[end] = end
	for changed := true; changed; {
		changed = false
		for k := len(order) - 2; k >= 0; k-- {
			i, to := order[k], -1
			for _, s := range fl.successors(i) {
				switch {
				case meet[s] < 0:
				case to < 0:
					to = s
				default:
					for to != s {
						for number[to] < number[s] {
							to = meet[to]
						}
						for number[s] < number[to] {
							s = meet[s]
						}
					}
				}
			}
			if meet[i] != to {
				meet[i], changed = to, true
			}
		}
	}
	return meet[:end]
}

// postorder returns the instructions from which the end of the function can be reached,
// in postorder of the reversed graph, and the place of each instruction in that order,
// -1 for none.
func (fl flow) postorder(before [][]int) (number, order []int) {
	end := len(fl.f.Code)
	number, order = make([]int, end+1), make([]int, 0, end+1)
	for i := range number {
		number[i] = -1
	}
	type visit struct{ at, next int }
	seen := make([]bool, end+1)
	seen[end] = true
	for stack := []visit{{end, 0}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		if v.next < len(before[v.at]) {
			i := before[v.at][v.next]
			v.next++
			if !seen[i] {
				seen[i] = true
				stack = append(stack, visit{i, 0})
			}
			continue
		}
		number[v.at] = len(order)
		order = append(order, v.at)
		stack = stack[:len(stack)-1]
	}
	return number, order
}
