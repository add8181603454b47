package racing

import "github.com/everyway-go/everyway/internal/strategy"

// Info describes the strategy.
var Info = strategy.Info{
	Name: "racing",
	Doc:  "tries each goroutine alone on every input, and brings goroutines together where their accesses may race",
	New:  New,
}

// WithGoroutines is the strategy as a part of a mix: it ends soon if no goroutines are started.
var WithGoroutines = strategy.Info{Name: Info.Name, Doc: Info.Doc, New: func(c strategy.Config) (strategy.Strategy, error) {
	s := newSearch(c)
	s.withGoroutines = true
	return s, nil
}}
