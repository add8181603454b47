package program

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/static/initial"
)

// Pieces are contexts in which runs of the tests of a package have ended, and from which others go on.
type Pieces struct {
	Within *load.Package
	middle *middle
}

// maxInPiece is the number of goroutines that take part in a piece.
const maxInPiece = 8

// Pieces analyses the tests of a package.
func (p *Program) Pieces(ctx context.Context) (*Pieces, error) {
	m, err := p.middle(ctx)
	if err != nil {
		return nil, err
	}
	return &Pieces{Within: m.within[0].Package, middle: m}, nil
}

// Stacks returns those of some stacks that take part in a piece: two of each, and no more than there may be in all.
func Stacks(stacks []string) []string {
	var list []string
	alike := make(map[string]int)
	for _, s := range stacks {
		if alike[s]++; alike[s] <= maxAlike && len(list) < maxInPiece {
			list = append(list, s)
		}
	}
	return list
}

// Target returns the target that begins with goroutines at stacks, as [Program.Context] takes them,
// where a run has ended that had some more. The error says why none begins there.
func (p *Pieces) Target(ctx context.Context, stacks []string, more int) (*load.Target, error) {
	t, err := p.middle.target(ctx, stacks, initial.Options{Presume: true}, false)
	if err != nil {
		return nil, err
	}
	t.Name = shortName(stacks)
	if inner := slices.ContainsFunc(stacks, func(s string) bool { return strings.Contains(s, ",") }); inner || len(stacks) > 1 {
		t.Context.Assumes = append(t.Context.Assumes, "the goroutines are there at once, as those of a run that ended there were")
	}
	if more > 0 {
		t.Context.Assumes = append(t.Context.Assumes, fmt.Sprintf("of the goroutines of that run, %d take no part", more))
	}
	return t, nil
}
