package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/verdict"
)

// PiecesPrefix is before the name of a target in that of a search of it piece by piece.
const PiecesPrefix = "pieces:"

// PieceInstructions is the default of Piecewise.Instructions.
const PieceInstructions = 10_000

// Piecewise bounds a search that goes on piece by piece: a piece begins where runs of another one have ended.
type Piecewise struct {
	Number       int    // of pieces, the first one included
	Instructions uint64 // of a run: it ends then, and a piece begins where its goroutines are
}

// Pieces searches a target piece by piece, within the budget of one target. Runs end after some
// instructions. Where their goroutines are then, other searches begin as from there, with what is
// known of the state in any run: the places that most runs have come to first, and those of earlier
// pieces before those of later ones. So what is deep in the program is reached, whatever comes
// before it. It reports all as one target, whose result says how many pieces were searched.
func Pieces(ctx context.Context, prog *program.Program, target *load.Target, of Piecewise, cfg Config, obs verdict.Observer) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	cfg.everyway = executable()
	mix, err := cfg.phases()
	if err != nil {
		return err
	}
	contexts, err := prog.Pieces(ctx)
	if err != nil {
		return err
	}
	named := *target
	named.Name = PiecesPrefix + target.Name
	p := &pieces{gathering: newGathering(prog, &named, cfg, mix, newSerial(obs)), of: of, contexts: contexts, known: make(map[string]bool)}
	p.queue = []*piece{{target: target}}
	err = p.search(ctx)
	p.end(ctx)
	return err
}

// pieces are the searches of the pieces of a target.
type pieces struct {
	*gathering
	of       Piecewise
	contexts *program.Pieces
	queue    []*piece        // not searched, the next one first
	known    map[string]bool // the places of pieces that were queued
	done     []*piece
	bounded  bool // there are more, which are beyond the number
}

// A piece is one that was searched, or is to be.
type piece struct {
	target *load.Target
	searchOutcome
}

// search searches the pieces, and tries to confirm what was found.
func (p *pieces) search(ctx context.Context) error {
	limited, cancel := p.cfg.Clock.WithDeadline(ctx, p.start.Add(p.cfg.Budget))
	defer cancel()
	normal := p.cfg
	p.cfg.piece = p.of.Instructions
	for turn := time.Duration(pieceShare * float64(p.left())); !p.over(limited); turn *= turnGrowth {
		for len(p.queue) > 0 && len(p.done) < p.of.Number && !p.over(limited) {
			next := p.queue[0]
			p.queue = p.queue[1:]
			p.done = append(p.done, next)
			if err := p.searchPiece(limited, next, turn); err != nil {
				return err
			}
		}
		again := false
		for _, one := range slices.Clone(p.done) {
			if one.fate == unfinished && !one.last && !p.over(limited) {
				again = true
				if err := p.searchPiece(limited, one, turnGrowth*turn); err != nil {
					return err
				}
			}
		}
		if !again && (len(p.queue) == 0 || len(p.done) >= p.of.Number) {
			break
		}
	}
	p.bounded = len(p.queue) > 0 && len(p.done) >= p.of.Number
	p.note()
	p.cfg = normal
	if len(p.leading) == 0 {
		return nil
	}
	return p.confirm(limited)
}

// pieceShare is the part of the time that a piece has in its first turn. Those that come to no end
// then have longer ones, when all that are known have had theirs: where their runs end is known
// before.
const pieceShare = 1.0 / 32

// searchPiece searches a piece for a time.
func (p *pieces) searchPiece(ctx context.Context, next *piece, share time.Duration) error {
	s, err := p.searchFor(ctx, next.target, share)
	if s == nil {
		return err
	}
	open := p.gather(s)
	limit := fmt.Sprintf("more than %d instructions", p.of.Instructions)
	for why := range open {
		if strings.Contains(why, limit) {
			delete(open, why) // others go on from there
		}
	}
	next.searchOutcome = outcomeOf(s, open)
	switch {
	case next.fate == found:
		p.leadFrom(next.target)
	case next.fate == searched && len(p.done) == 1 && len(s.state.total().Ends) == 0 && s.result.Verdict == verdict.Holds:
		p.result.Verdict, p.result.Bounds = verdict.Holds, s.result.Bounds // there is no other piece
	}
	return p.add(ctx, s)
}

// add adds the pieces that begin where runs of a search have ended: where most have first.
func (p *pieces) add(ctx context.Context, s *search) error {
	ends := s.state.total().Ends
	type end struct {
		at string
		n  int
	}
	var list []end
	for at, n := range ends {
		list = append(list, end{at, n})
	}
	slices.SortFunc(list, func(a, b end) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.at, b.at)) })
	for _, e := range list {
		stacks := strings.Split(e.at, "\n")
		part := program.Stacks(stacks)
		key := strings.Join(part, "\n")
		if p.known[key] {
			continue
		}
		p.known[key] = true
		target, err := p.contexts.Target(ctx, part, len(stacks)-len(part))
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			p.done = append(p.done, &piece{searchOutcome: searchOutcome{fate: unfit}})
			p.result.Open = append(p.result.Open, fmt.Sprintf("no search goes on where runs have ended: %v", err))
		default:
			p.queue = append(p.queue, &piece{target: target})
		}
		if len(p.done)+len(p.queue) > p.of.Number {
			break // they are not searched
		}
	}
	return nil
}

// note says what has become of the pieces.
func (p *pieces) note() {
	count := make(map[fate]int)
	var open []string
	for _, one := range p.done {
		count[one.fate]++
		if one.fate == unfinished {
			open = append(open, one.open)
		}
	}
	p.noteOutcomes(fmt.Sprintf("pieces of at most %d instructions: %d", p.of.Instructions, len(p.done)+len(p.queue)), []part{
		{count[searched], "searched to the end, without a new finding"},
		{count[found], "with findings"},
		{len(open), "open"},
		{count[unfit], "that no search can begin with"},
		{len(p.queue), "not searched"},
	}, open, "pieces")
	switch {
	case p.bounded:
		p.result.Open = append(p.result.Open, fmt.Sprintf("the bound of %d pieces is reached", p.of.Number))
	case len(p.queue) > 0:
		p.result.Open = append(p.result.Open, fmt.Sprintf("%d pieces were not searched", len(p.queue)))
	}
}
