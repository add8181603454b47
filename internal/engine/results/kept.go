package results

import (
	"regexp"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/cache"
	"github.com/everyway-go/everyway/internal/engine/program"
	"github.com/everyway-go/everyway/internal/verdict"
)

// A Kept is the result of a search, and what it printed.
type Kept struct {
	Result verdict.Result
	Output []byte `json:",omitempty"`

	Seen   []program.Seen `json:",omitempty"`
	Budget time.Duration
	Lines  cache.Key // hash of the lines in its positions
}

// MaxOutput is the length of the longest output that is kept.
const MaxOutput = 1 << 20

// stands reports whether the result is what a search with a budget would find. What holds
// does so whatever the budget; what is open may not be so with a larger one. Where code has
// been moved, lines has changed.
func (k *Kept) stands(budget time.Duration, lines cache.Key) bool {
	if k.Result.Verdict == verdict.Open && budget > k.Budget || lines != k.Lines && k.hasPositions() {
		return false
	}
	for i := range k.Seen {
		if k.Seen[i].Changed() != "" {
			return false
		}
	}
	return true
}

// position matches the file and line of a source position.
var position = regexp.MustCompile(`\.go:\d`)

// hasPositions reports whether there are source positions in the result.
func (k *Kept) hasPositions() bool {
	return position.Match(k.Output) ||
		slices.ContainsFunc(slices.Concat(k.Result.Open, k.Result.Bounds, k.Result.Notes), position.MatchString)
}

// Report reports the result.
func (k *Kept) Report(obs verdict.Observer) {
	r := &k.Result
	obs.Started(r.Package, r.Target)
	if len(k.Output) > 0 {
		obs.Output(r.Package, r.Target, k.Output)
	}
	obs.Ended(r)
}
