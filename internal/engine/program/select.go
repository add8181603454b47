package program

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/load"
	"github.com/everyway-go/everyway/internal/testname"
)

// A Selection says which targets of a program to search. The zero value means
// all tests, fuzz targets and examples.
type Selection struct {
	Run, Skip string         // names of tests, fuzz targets and examples, as the flags of go test have them
	Fuzz      *regexp.Regexp // names of fuzz targets
	Func      string         // a function or method, over its parameters
	Globals   []string       // package variables that are inputs of the function, too
	// Part says that the program is a part of what is to be searched: it may have no targets.
	Part bool
}

// ErrNoTarget says that there is nothing to search.
var ErrNoTarget = errors.New("no tests, fuzz targets or examples to search; name a function with -func")

// Select returns the targets that s names, in the order of the source.
func (p *Program) Select(s Selection) ([]load.Target, error) {
	if s.Func == "main" {
		if chosen := p.mains(); len(chosen) > 0 {
			return chosen, nil
		}
	}
	if s.Func != "" {
		chosen, err := p.Funcs(s.Func)
		for i := range chosen {
			if err == nil {
				err = checkInputs(&chosen[i])
			}
			if err == nil {
				err = addGlobals(&chosen[i], s.Globals)
			}
		}
		return chosen, err
	}
	names, err := testname.NewFilter(s.Run, s.Skip)
	if err != nil {
		return nil, err
	}
	fuzz := names
	if s.Fuzz != nil {
		if fuzz, err = testname.NewFilter(s.Fuzz.String(), s.Skip); err != nil {
			return nil, err
		}
	}
	var chosen []load.Target
	seeds := false // of fuzz targets, as go test has them, match
	for _, t := range p.Targets() {
		switch t.Kind {
		case load.TargetFuzz:
			ok, partial := fuzz.Match(t.Name)
			if ok && !partial {
				chosen = append(chosen, t)
			}
			seeds = seeds || partial
		case load.TargetTest, load.TargetExample:
			if ok, _ := names.Match(t.Name); ok && (s.Run != "" || s.Fuzz == nil) {
				chosen = append(chosen, t)
			}
		}
	}
	if len(chosen) > 0 || s.Part {
		return chosen, nil
	}
	if seeds {
		return nil, fmt.Errorf("%s: a fuzz target is searched over all inputs, seeds included: leave out the slash and what follows it", strings.TrimSpace(s.flags()))
	}
	if s.Run != "" || s.Skip != "" || s.Fuzz != nil {
		return nil, fmt.Errorf("no target matches%s", s.flags())
	}
	// A program without tests is its own target.
	if chosen = p.mains(); len(chosen) == 0 {
		return nil, ErrNoTarget
	}
	return chosen, nil
}

// mains returns the main functions of the programs.
func (p *Program) mains() []load.Target {
	return slices.DeleteFunc(p.Targets(), func(t load.Target) bool { return t.Kind != load.TargetMain })
}

// flags returns the flags that make s.
func (s *Selection) flags() string {
	var b strings.Builder
	if s.Run != "" {
		b.WriteString(" -run " + s.Run)
	}
	if s.Fuzz != nil {
		b.WriteString(" -fuzz " + s.Fuzz.String())
	}
	if s.Skip != "" {
		b.WriteString(" -skip " + s.Skip)
	}
	return b.String()
}

// listed is the order of the kinds in the list of go test -list.
var listed = []load.TargetKind{load.TargetTest, load.TargetFuzz, load.TargetExample}

// A List is the names of what can be searched in a test binary.
type List struct {
	Package string // import path
	Names   []string
}

// List returns the tests, fuzz targets and examples whose names match re, for each of the
// test binaries, as go test -list prints them.
func (p *Program) List(re *regexp.Regexp) []List {
	var lists []List
	for _, pkg := range p.Packages {
		if b := pkg.Binary(); !slices.ContainsFunc(lists, func(l List) bool { return l.Package == b }) {
			lists = append(lists, List{Package: b})
		}
	}
	targets := p.Targets()
	slices.SortStableFunc(targets, func(a, b load.Target) int {
		return cmp.Compare(slices.Index(listed, a.Kind), slices.Index(listed, b.Kind))
	})
	for _, t := range targets {
		if i := slices.IndexFunc(lists, func(l List) bool { return l.Package == t.Package.Binary() }); slices.Contains(listed, t.Kind) && re.MatchString(t.Name) {
			lists[i].Names = append(lists[i].Names, t.Name)
		}
	}
	return lists
}
