package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/everyway-go/everyway/internal/verdict"
)

// A coverProfile is a document that go tool cover reads: which blocks of statements the searches have
// executed.
type coverProfile struct {
	verdict.Quiet
	blocks   []verdict.Block
	executed map[int]bool
}

func newCoverProfile(c Config) Document {
	return &coverProfile{blocks: c.Blocks, executed: map[int]bool{}}
}

// NotBuilt implements Document.
func (p *coverProfile) NotBuilt(*NotBuilt) {}

// Found implements verdict.Observer.
func (p *coverProfile) Found(r *verdict.Result, _ *verdict.Counterexample) { p.add(r) }

// Ended implements verdict.Observer.
func (p *coverProfile) Ended(r *verdict.Result) { p.add(r) }

func (p *coverProfile) add(r *verdict.Result) {
	for _, n := range r.Blocks {
		p.executed[n] = true
	}
}

// Encode implements Document. A file that belongs to several variants of a package has its blocks once.
func (p *coverProfile) Encode(w io.Writer) error {
	executed := map[verdict.Block]bool{}
	var all []verdict.Block
	for n, b := range p.blocks {
		was, known := executed[b]
		if !known {
			all = append(all, b)
		}
		executed[b] = was || p.executed[n]
	}
	slices.SortFunc(all, func(a, b verdict.Block) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.EndColumn, b.EndColumn))
	})
	buf := bufio.NewWriter(w)
	fmt.Fprintln(buf, "mode: set")
	for _, b := range all {
		count := 0
		if executed[b] {
			count = 1
		}
		fmt.Fprintf(buf, "%s:%d.%d,%d.%d %d %d\n", b.File, b.Line, b.Column, b.EndLine, b.EndColumn, b.Statements, count)
	}
	if err := buf.Flush(); err != nil {
		return fmt.Errorf("writing the coverage profile: %w", err)
	}
	return nil
}
