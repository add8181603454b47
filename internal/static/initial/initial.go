package initial

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/fragment"
	"github.com/everyway-go/everyway/internal/static"
)

// New returns the context in which goroutines have stacks, those of fragment.Context.
func New(ctx context.Context, a *static.Analysis, stacks [][]ssa.Instruction) (*fragment.Context, error) {
	definitions, err := a.Definitions(ctx)
	if err != nil {
		return nil, err
	}
	c := &fragment.Context{Stacks: stacks, NotNil: make(map[ssa.Value]bool), Same: make(map[ssa.Value]*ssa.Const)}
	v := values{definitions}
	for _, stack := range stacks {
		for _, at := range stack {
			v.describe(c, at.Parent())
		}
	}
	c.Assumes = assumptions(a, c)
	return c, nil
}

// assumptions returns what is taken for granted of the state in which the goroutines of a context begin.
func assumptions(a *static.Analysis, c *fragment.Context) []string {
	list := []string{
		"no other goroutine takes part, and nothing waits",
		"locks are free, and wait groups, conditions and the like are as new",
		"package variables are as their initialisation leaves them",
	}
	for _, stack := range c.Stacks {
		outermost := stack[len(stack)-1].Parent()
		text := fmt.Sprintf("a goroutine that returns from %s ends", outermost.Name())
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	for _, missed := range a.Unsound() {
		list = append(list, "what the static analysis may miss does not happen: "+missed)
	}
	return list
}
