package main

import (
	"math"
	"testing"

	"github.com/everyway-go/everyway/bench/internal/table"
	"github.com/everyway-go/everyway/internal/verdict"
)

// TestPublished checks the geometric mean of the figures of the thesis.
func TestPublished(t *testing.T) {
	var factors []float64
	for _, row := range tables5 {
		factors = append(factors, 1+row.time/100)
	}
	if mean := 100 * (table.GeometricMean(factors) - 1); len(factors) != 9 || math.Abs(mean+58) > 1 {
		t.Errorf("the mean change of %d functions is %.1f%%, want -58%%", len(factors), mean)
	}
}

// TestSame checks that a difference between two searches is an error.
func TestSame(t *testing.T) {
	a, b := &verdict.Totals{Runs: 5}, &verdict.Totals{Runs: 5}
	if err := same(a, b); err != nil {
		t.Error(err)
	}
	b.Solver.Queries = 1
	if same(a, b) == nil {
		t.Error("a query more is no difference")
	}
}
