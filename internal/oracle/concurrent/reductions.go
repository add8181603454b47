package concurrent

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/oracle"
	"github.com/everyway-go/everyway/internal/oracle/interrupted"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/strategy"
	"github.com/everyway-go/everyway/internal/strategy/hyperconcolic"
	"github.com/everyway-go/everyway/internal/strategy/stateful"
)

// Words are the words of ParseOptions.
var Words = []string{"adds", "uses", "accesses", "knowledge", "unread", "names", "alike", "ahead", "atomics", "logs"}

// option returns what a word is about, nil if it is none of Words.
func option(o *stateful.Options, word string) *bool {
	switch word {
	case "adds":
		return &o.AddsCommute
	case "uses":
		return &o.ForgetUses
	case "accesses":
		return &o.ForgetAccesses
	case "knowledge":
		return &o.ForgetKnowledge
	case "unread":
		return &o.ForgetUnread
	case "names":
		return &o.Rename
	case "alike":
		return &o.Alike
	case "ahead":
		return &o.Ahead
	case "atomics":
		return &o.HideAtomics
	case "logs":
		return &o.Visible.HideLogs
	}
	return nil
}

// ParseOptions returns the options of a stateful search that leaves out what a list of words names:
// adds, uses, accesses, knowledge, unread and atomics, which include knowledge, names, alike, which
// includes names, ahead and logs, separated by commas.
func ParseOptions(list string) (stateful.Options, error) {
	var o stateful.Options
	for word := range strings.SplitSeq(list, ",") {
		if word == "" {
			continue
		}
		on := option(&o, word)
		if on == nil {
			return o, fmt.Errorf("%q: want some of %s", word, strings.Join(Words, ","))
		}
		*on = true
	}
	o.ForgetKnowledge = o.ForgetKnowledge || o.ForgetUnread || o.HideAtomics
	o.Rename = o.Rename || o.Alike
	return o, nil
}

// wordsOf returns the words for what a search leaves out, in the order of Words.
func wordsOf(o stateful.Options) []string {
	return slices.DeleteFunc(slices.Clone(Words), func(word string) bool { return !*option(&o, word) })
}

// Stateful returns a search that goes on from each state once.
func Stateful(o stateful.Options) Search {
	return Search{
		Merges: true,
		Leaves: func(*oracle.Program) []string { return wordsOf(o) },
		Begin:  func(_ *oracle.Program, names *run.Names) strategy.Strategy { return begin(o, names) },
	}
}

// Interrupted returns a search that goes on from each state once, and is broken off and resumed again and again.
func Interrupted(o stateful.Options) Search {
	s := Stateful(o)
	s.Begin = func(_ *oracle.Program, names *run.Names) strategy.Strategy {
		return interrupted.New(func() strategy.Resumable { return begin(o, names) }, 1, 8)
	}
	return s
}

// begin begins a search by a machine with these names.
func begin(o stateful.Options, names *run.Names) strategy.Resumable {
	o.Names = names
	return stateful.New(o)
}

// draw returns words of which the seed of a program says which they are: often one, or two, or all.
func draw(words []string, p *oracle.Program) []string {
	words = slices.Clone(words)
	r := rand.New(rand.NewPCG(p.Seed, uint64(len(words))))
	r.Shuffle(len(words), func(i, k int) { words[i], words[k] = words[k], words[i] })
	switch k := r.IntN(8); {
	case k <= 3:
		words = words[:1+k/2]
	case k <= 6:
		words = words[:r.IntN(len(words)+1)]
	}
	return words
}

// Drawn returns a search that leaves out what the seed of a program says, as a search with these
// options: [Stateful], or [Interrupted].
func Drawn(with func(stateful.Options) Search) Search {
	of := func(p *oracle.Program) Search {
		o, err := ParseOptions(strings.Join(draw(Words, p), ","))
		if err != nil {
			panic(err) // not of Words
		}
		return with(o)
	}
	return Search{
		Merges: true,
		Leaves: func(p *oracle.Program) []string { return of(p).Leaves(p) },
		Begin:  func(p *oracle.Program, names *run.Names) strategy.Strategy { return of(p).Begin(p, names) },
	}
}

// DrawnByClasses returns a search without states, which leaves out what the seed of a program says.
func DrawnByClasses() Search {
	of := func(p *oracle.Program) []string { return draw([]string{"adds", "symmetry", "logs"}, p) }
	return Search{
		Leaves: of,
		Begin: func(p *oracle.Program, names *run.Names) strategy.Strategy {
			has := func(word string) bool { return slices.Contains(of(p), word) }
			return hyperconcolic.New(hyperconcolic.Options{Names: names, Symmetry: has("symmetry"), AddsCommute: has("adds"), Visible: run.Visible{HideLogs: has("logs")}})
		},
	}
}
