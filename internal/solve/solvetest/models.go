package solvetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/everyway-go/everyway/internal/expr"
)

// Models calls yield with each model of conj; all its variables have values.
func Models(a *expr.Arena, conj []expr.ID, yield func(value func(expr.ID) uint64)) {
	var vars []expr.ID
	for _, x := range conj {
		vars = a.Vars(vars, x)
	}
	slices.Sort(vars)
	vars = slices.Compact(vars)
	values := map[expr.ID]uint64{}
	value := func(v expr.ID) uint64 { return values[v] }
	var try func(i int)
	try = func(i int) {
		if i == len(vars) {
			if Holds(a, conj, value) {
				yield(value)
			}
			return
		}
		for v := range uint64(1) << a.Width(vars[i]) {
			values[vars[i]] = v
			try(i + 1)
		}
	}
	try(0)
}

// Satisfiable tries all values of all variables.
func Satisfiable(a *expr.Arena, conj []expr.ID) bool {
	var vars []expr.ID
	for _, x := range conj {
		vars = a.Vars(vars, x)
	}
	slices.Sort(vars)
	vars = slices.Compact(vars)
	value := map[expr.ID]uint64{}
	var try func(i int) bool
	try = func(i int) bool {
		if i == len(vars) {
			return Holds(a, conj, func(v expr.ID) uint64 { return value[v] })
		}
		for v := range uint64(1) << a.Width(vars[i]) {
			value[vars[i]] = v
			if try(i + 1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

// Holds reports whether all conjuncts are true under the values of variables.
func Holds(a *expr.Arena, conj []expr.ID, value func(v expr.ID) uint64) bool {
	for _, x := range conj {
		if a.Eval(x, value) == 0 {
			return false
		}
	}
	return true
}

// Text writes a conjunction for a message.
func Text(a *expr.Arena, conj []expr.ID) string {
	var b strings.Builder
	for _, x := range conj {
		fmt.Fprintf(&b, "\n  %s", a.String(x))
	}
	return b.String()
}
