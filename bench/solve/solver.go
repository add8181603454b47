package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/solve"
	"github.com/everyway-go/everyway/internal/solve/external"
)

// A solver is one of those compared.
type solver struct {
	name string
	// start begins over an arena of its own. What it returns answers a query.
	start func(a *expr.Arena) func(ctx context.Context, conj []expr.ID) (solve.Result, error)
	close func() error
}

// builtin is the solver of everyway.
var builtin = &solver{
	name: "everyway",
	start: func(a *expr.Arena) func(context.Context, []expr.ID) (solve.Result, error) {
		s := solve.New(a, solve.Options{})
		return func(ctx context.Context, conj []expr.ID) (solve.Result, error) {
			r, _, err := s.Check(ctx, conj)
			return r, err
		}
	},
	close: func() error { return nil },
}

// z3Memory bounds the memory of z3, in MB. The others are bounded by their time.
const z3Memory = "-memory:4000"

// others returns the other solvers that are installed, which have so long for a query. They
// are processes that keep what two queries in a row have in common.
func others(limit time.Duration) []*solver {
	var all []*solver
	for _, name := range external.Names() {
		command, err := external.CommandWithin(name, limit)
		if err != nil {
			continue // not installed
		}
		if name == "z3" {
			command = append(command, z3Memory)
		}
		pool := external.NewPool(command)
		all = append(all, &solver{name: name, close: pool.Close,
			start: func(a *expr.Arena) func(context.Context, []expr.ID) (solve.Result, error) {
				return func(ctx context.Context, conj []expr.ID) (solve.Result, error) {
					// Not all keep to their limit.
					ctx, cancel := context.WithTimeout(ctx, 2*limit)
					defer cancel()
					return askPool(ctx, pool, a, conj)
				}
			}})
	}
	return all
}

// askPool has a process answer a query. What it refuses is Unknown.
func askPool(ctx context.Context, pool *external.Pool, a *expr.Arena, conj []expr.ID) (solve.Result, error) {
	var vars []expr.ID
	for _, x := range conj {
		vars = a.Vars(vars, x)
	}
	slices.Sort(vars)
	vars = slices.Compact(vars)
	conj = slices.DeleteFunc(slices.Clone(conj), func(x expr.ID) bool {
		v, ok := a.ConstValue(x)
		return ok && v == 1
	})
	if len(vars) == 0 {
		return decided(a, conj), nil
	}
	r, _, err := pool.Solve(ctx, a, conj, vars)
	if errors.Is(err, external.ErrRefused) {
		return solve.Unknown, nil
	}
	return r, err
}

// decided answers a query without variables.
func decided(a *expr.Arena, conj []expr.ID) solve.Result {
	for _, x := range conj {
		if v, _ := a.ConstValue(x); v == 0 {
			return solve.Unsat
		}
	}
	return solve.Sat
}
