package program

import (
	"slices"
	"testing"
)

func TestOrder(t *testing.T) {
	list := []Combination{
		{stacks: []string{"no effect"}, callees: "a b", cost: 1},
		{stacks: []string{"again"}, callees: "c d", meet: 1, cost: 2},
		{stacks: []string{"cheap"}, callees: "c d", meet: 1, cost: 1},
		{stacks: []string{"dear"}, callees: "d e", meet: 1, cost: 9},
		{stacks: []string{"more"}, callees: "d f", meet: 3, cost: 9},
	}
	order(list)
	var got []string
	for _, c := range list {
		got = append(got, c.stacks[0])
	}
	if want := []string{"more", "cheap", "dear", "again", "no effect"}; !slices.Equal(got, want) {
		t.Errorf("order: %v, want %v", got, want)
	}
}
