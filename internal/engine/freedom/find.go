package freedom

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/code"
	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/solve"
)

// The bounds of one search for inputs that do not matter.
const (
	maxRuns       = 60
	maxRunsOfUnit = 20 // for one input
	maxConditions = 1000
	maxQueries    = 200
	maxUnknown    = 5       // queries without an answer
	queryBudget   = 200_000 // see solve.Options
)

// A Run is a run that fails.
type Run struct {
	Inputs     []run.InputVar
	Conditions []run.Condition // of its path, up to where it fails
	Arena      *expr.Arena     // of their expressions
	Whole      bool            // the conditions are all that the path depends on: nothing was given up
}

// Find returns the names of the inputs of r that do not matter. The function try makes the run with another
// input: it returns nil if that does not fail. The result of try is not used after the next call.
func Find(ctx context.Context, r *Run, try func(ctx context.Context, in run.Input) (*Run, error)) (map[string]bool, error) {
	if !r.Whole || len(r.Conditions) > maxConditions {
		return nil, nil
	}
	f := &finder{arena: expr.NewArena(), known: run.Input{}, free: map[string]bool{}, try: try}
	f.solver = solve.New(f.arena, solve.Options{Budget: queryBudget})
	for _, v := range r.Inputs {
		f.known[v.Name] = v.Value
	}
	f.add(r)
	for _, u := range units(r.Inputs) {
		ok, err := f.isFree(ctx, u)
		if err != nil {
			return nil, err
		}
		if ok {
			for name := range f.known {
				if u.has(name) {
					f.free[name] = true
				}
			}
			f.units = append(f.units, u)
		}
	}
	return f.free, nil
}

// A unit is an input, which may consist of several variables: the elements of x or, if it is whole, x with
// its length; or it is a variable.
type unit struct {
	name  string
	parts bool
	whole bool
}

// has reports whether a variable belongs to u.
func (u unit) has(name string) bool {
	if !u.parts {
		return name == u.name
	}
	return u.whole && name == "len("+u.name+")" || strings.HasPrefix(strings.TrimPrefix(name, "len("), u.name+"[")
}

// units returns what may not matter, smaller units before those that they are a part of.
func units(inputs []run.InputVar) []unit {
	var list, wholes []unit
	for _, v := range inputs {
		if !varies(v.Name) || v.Choice || code.Kind(v.Kind) == code.Pointer {
			continue
		}
		if x, ok := strings.CutPrefix(v.Name, "len("); ok {
			x = strings.TrimSuffix(x, ")")
			list = append(list, unit{name: x, parts: true})
			wholes = append(wholes, unit{name: x, parts: true, whole: true})
		} else if !strings.Contains(v.Name, "[") {
			list = append(list, unit{name: v.Name})
		}
	}
	return append(list, wholes...)
}

// varies reports whether a variable is an input of the target, and not what it is told of its surroundings.
func varies(name string) bool { return run.SourceOf(name) == run.TargetInput }

// A finder looks for inputs that do not matter.
type finder struct {
	arena  *expr.Arena
	solver *solve.Solver
	try    func(ctx context.Context, in run.Input) (*Run, error)
	known  run.Input // of the run that is explained
	free   map[string]bool
	units  []unit
	domain []expr.ID   // what holds of inputs by construction
	paths  [][]expr.ID // of runs that fail

	runs, queries, unknown int
}

// over reports whether no more is to be done.
func (f *finder) over(ctx context.Context) bool {
	return f.runs == maxRuns || f.queries == maxQueries || f.unknown == maxUnknown || ctx.Err() != nil
}

// add adds the path of a run that fails.
func (f *finder) add(r *Run) {
	var path []expr.ID
	for _, c := range r.Conditions {
		cond := f.arena.Copy(r.Arena, c.Cond)
		if _, ok := f.arena.ConstValue(cond); ok || slices.Contains(path, cond) {
			continue
		}
		vars := f.arena.Vars(nil, cond)
		if c.Kind == run.Assumed && len(vars) == 1 && varies(f.arena.VarName(vars[0])) {
			if !slices.Contains(f.domain, cond) {
				f.domain = append(f.domain, cond)
			}
			continue
		}
		path = append(path, cond)
	}
	f.paths = append(f.paths, path)
}

// isFree reports whether a unit does not matter, together with those that are free already.
func (f *finder) isFree(ctx context.Context, u unit) (bool, error) {
	for range maxRunsOfUnit {
		if f.over(ctx) {
			return false, nil
		}
		other, sat, err := f.otherPath(ctx, u)
		if err != nil || sat == solve.Unsat {
			return err == nil, err
		}
		if sat != solve.Sat {
			f.unknown++
			return false, nil
		}
		f.runs++
		r, err := f.try(ctx, other)
		if err != nil || r == nil || !r.Whole || len(r.Conditions) > maxConditions {
			return false, err
		}
		f.add(r)
	}
	return false, nil
}

// otherPath returns an input, which differs from the known one in the unit and in what is free,
// with which the run takes none of the known paths.
func (f *finder) otherPath(ctx context.Context, u unit) (run.Input, solve.Result, error) {
	fixed := func(x expr.ID) bool {
		name := f.arena.VarName(x)
		_, ok := f.known[name]
		return ok && !f.free[name] && !u.has(name) && !slices.ContainsFunc(f.units, func(u unit) bool { return u.has(name) })
	}
	value := func(x expr.ID) uint64 { return f.known[f.arena.VarName(x)] }
	mentioned := map[expr.ID]bool{}
	var conj []expr.ID
	mention := func(cond expr.ID) expr.ID {
		for _, x := range f.arena.Vars(nil, cond) {
			mentioned[x] = true
		}
		return cond
	}
	for _, path := range f.paths {
		leaves := f.arena.Bool(false)
		possible := true // for inputs with the values that are fixed
		for _, cond := range path {
			if !slices.ContainsFunc(f.arena.Vars(nil, cond), func(x expr.ID) bool { return !fixed(x) }) {
				possible = possible && f.arena.Eval(cond, value) != 0
				continue
			}
			leaves = f.arena.Or(leaves, f.arena.Not(mention(cond)))
		}
		if possible {
			conj = append(conj, leaves)
		}
	}
	for _, cond := range f.domain {
		conj = append(conj, mention(cond))
	}
	for _, x := range slices.Sorted(maps.Keys(mentioned)) {
		if fixed(x) {
			conj = append(conj, f.arena.Eq(x, f.arena.Const(value(x), f.arena.Width(x))))
		}
	}
	f.queries++
	sat, model, err := f.solver.CheckNear(ctx, conj, value)
	if err != nil || sat != solve.Sat {
		return nil, sat, err
	}
	other := maps.Clone(f.known)
	for x := range mentioned {
		other[f.arena.VarName(x)] = model.Value(x)
	}
	return other, sat, nil
}
