package stateful

import (
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
)

// Info describes the strategy.
var Info = info(0)

// Tentative describes the strategy as a part of a search by several: it ends before its time if it
// does not come to states that it knows.
var Tentative = info(2000)

// info describes the strategy with Options.Patience.
func info(patience int) strategy.Info {
	return strategy.Info{
		Name:       "stateful",
		Doc:        "an exhaustive search that remembers states, and goes on from each only once",
		Proves:     "the target holds, if nothing was given up",
		Exhaustive: true,
		New: func(c strategy.Config) (strategy.Strategy, error) {
			return New(Options{
				Names: c.Names, Merge: run.MergeLibrary, Visible: c.Visible, AddsCommute: c.AddsCommute, ForgetUses: c.Forget, ForgetAccesses: c.Forget, Rename: c.Rename, TellPlaces: c.TellPlaces,
				ForgetKnowledge: c.Compare, ForgetUnread: c.Unread, Alike: c.Alike, Ahead: c.Ahead,
				HideAtomics: c.Atomics, Sites: c.Sites, Patience: patience, Solver: c.Solver, Subjects: c.Subjects,
			}), nil
		},
	}
}
