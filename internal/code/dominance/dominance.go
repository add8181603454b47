// Package dominance finds the post-dominators of control flow graphs, whatever their nodes are:
// instructions of register code in package region, stretches of SSA in package control.
//
// The algorithm is that of Cooper, Harvey and Kennedy (A Simple, Fast Dominance Algorithm, 2001),
// on the reversed graph.
package dominance

import "slices"

// Post returns the immediate post-dominator of each node of a graph, by the numbers of the nodes,
// which are below size: the first node that each way from it to the exit passes. That of the exit
// is itself, and it is -1 for a node from which the exit is not reached.
//
// The other result has the nodes from which the exit is reached, in postorder of the reversed
// graph: a node comes before its post-dominator, and the exit is the last one.
func Post[N any](size int, exit N, number func(N) int, succs, preds func(N) []N) (post []int, order []N) {
	place, order := postorder(size, exit, number, preds)
	post = slices.Repeat([]int{-1}, size)
	post[number(exit)] = number(exit)
	meet := func(a, b int) int {
		for a != b {
			for place[a] < place[b] {
				a = post[a]
			}
			for place[b] < place[a] {
				b = post[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, n := range slices.Backward(order[:len(order)-1]) {
			to := -1
			for _, s := range succs(n) {
				switch s := number(s); {
				case post[s] < 0:
				case to < 0:
					to = s
				default:
					to = meet(to, s)
				}
			}
			if i := number(n); post[i] != to {
				post[i], changed = to, true
			}
		}
	}
	return post, order
}

// postorder returns the nodes from which the exit is reached in postorder of the reversed graph,
// and the place of each in that order, by number.
func postorder[N any](size int, exit N, number func(N) int, preds func(N) []N) (place []int, order []N) {
	place, order = make([]int, size), make([]N, 0, size)
	type visit struct {
		of   N
		left []N // predecessors
	}
	seen := make([]bool, size)
	seen[number(exit)] = true
	for stack := []visit{{exit, preds(exit)}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if len(top.left) == 0 {
			place[number(top.of)] = len(order)
			order = append(order, top.of)
			stack = stack[:len(stack)-1]
			continue
		}
		p := top.left[0]
		top.left = top.left[1:]
		if i := number(p); !seen[i] {
			seen[i] = true
			stack = append(stack, visit{p, preds(p)})
		}
	}
	return place, order
}
