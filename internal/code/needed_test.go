package code

import (
	"slices"
	"testing"
)

// registers returns the members of a set of registers.
func registers(set []uint64) []int {
	var list []int
	for r := range 64 * len(set) {
		if set[r/64]&(1<<(r%64)) != 0 {
			list = append(list, r)
		}
	}
	return list
}

func TestNeeded(t *testing.T) {
	straight := []Instr{
		{Op: Imm, A: 1, C: 5},
		{Op: Add, A: 2, B: 0, C: 1},
		{Op: Mov, A: 0, B: 2},
		{Op: Return, A: 0, K: 1},
	}
	loop := []Instr{ // for r1 = 0; r1 < r0; r1++ {}; return r2
		{Op: Imm, A: 1},
		{Op: Imm, A: 2, C: 7},
		{Op: AddI, A: 1, B: 1, C: 1},
		{Op: JmpLtS, A: 1, B: 0, D: 2},
		{Op: Mov, A: 0, B: 2},
		{Op: Return, A: 0, K: 1},
	}
	call := []Instr{ // f(r0) in the window from r70 on, while r1 lives
		{Op: Imm, A: 1, C: 5},
		{Op: Mov, A: 70, B: 0},
		{Op: Call, A: 70, C: 1, D: 1, K: ModeCall},
		{Op: Add, A: 0, B: 1, C: 70},
		{Op: Return, A: 0, K: 1},
	}
	for _, test := range []struct {
		name    string
		code    []Instr
		recover int
		want    [][]int // before each instruction
	}{
		{"straight", straight, -1, [][]int{{0}, {0, 1}, {2}, {0}}},
		{"loop", loop, -1, [][]int{{0}, {0, 1}, {0, 1, 2}, {0, 1, 2}, {2}, {0}}},
		{"call", call, -1, [][]int{{0}, {0, 1}, {1, 70}, {1, 70}, {0}}},
		{"what recovers is needed everywhere", straight, 2, [][]int{{0, 2}, {0, 1, 2}, {2}, {0, 2}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := (&Func{Code: test.code, Params: 1, Results: 1, Regs: 75, Recover: test.recover}).Needed()
			for i, want := range test.want {
				if got := registers(n.Before(i)); !slices.Equal(got, want) {
					t.Errorf("before instruction %d, %v is needed, want %v", i, got, want)
				}
			}
		})
	}
}
