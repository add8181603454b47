package program

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/everyway-go/everyway/internal/load"
)

// A Selection says which targets of a program to search. The zero value means
// all tests, fuzz targets and examples.
type Selection struct {
	Run  *regexp.Regexp // names of tests, fuzz targets and examples
	Fuzz *regexp.Regexp // names of fuzz targets
	Func string         // a function or method, over its parameters
}

// ErrNoTarget says that there is nothing to search.
var ErrNoTarget = errors.New("no tests, fuzz targets or examples to search; name a function with -func")

// Select returns the targets that s names, in the order of the source.
func (p *Program) Select(s Selection) ([]load.Target, error) {
	if s.Func != "" {
		chosen, err := p.Funcs(s.Func)
		for i := range chosen {
			if err == nil {
				err = checkInputs(&chosen[i])
			}
		}
		return chosen, err
	}
	var chosen []load.Target
	for _, t := range p.Targets() {
		if s.matches(&t) {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) > 0 {
		return chosen, nil
	}
	for _, pattern := range []struct {
		flag string
		re   *regexp.Regexp
	}{{"-run", s.Run}, {"-fuzz", s.Fuzz}} {
		if pattern.re != nil {
			return nil, fmt.Errorf("no target matches %s %s", pattern.flag, pattern.re)
		}
	}
	// A program without tests is its own target.
	for _, t := range p.Targets() {
		if t.Kind == load.TargetMain {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) == 0 {
		return nil, ErrNoTarget
	}
	return chosen, nil
}

func (s *Selection) matches(t *load.Target) bool {
	switch t.Kind {
	case load.TargetFuzz:
		if s.Fuzz != nil {
			return s.Fuzz.MatchString(t.Name)
		}
		return s.Run == nil || s.Run.MatchString(t.Name)
	case load.TargetTest, load.TargetExample:
		if s.Run != nil {
			return s.Run.MatchString(t.Name)
		}
		return s.Fuzz == nil
	}
	return false
}
