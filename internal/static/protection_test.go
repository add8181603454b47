package static_test

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/everyway-go/everyway/internal/static/protection"
)

// testStructs says of the structs of testdata/protection.go what package static/initial would say.
type testStructs struct{}

func (testStructs) Known(types.Type) bool { return true }

func (testStructs) MadeWith(strct types.Type, fields []int) bool {
	s := strct.Underlying().(*types.Struct)
	return s.Field(fields[0]).Name() == "limit"
}

// TestProtection checks between which numbers variables are, and how long what is there under a lock stays.
func TestProtection(t *testing.T) {
	a, pkg, text := analyseFile(t, "testdata/protection.go")
	pointers := pointersOf(t, a)
	definitions, err := a.Definitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	locks, err := a.Locks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of := protection.New(protection.Config{
		Calls: a.Calls(), Pointers: pointers, Definitions: definitions, Locks: locks, Control: a.Control,
		Early: func(at ssa.Instruction) bool { return at.Parent().Synthetic != "" },
		Own:   func(fn *ssa.Function) bool { return fn.Pkg == pkg },
	})
	var want, got []string
	held := make(map[int]string)
	for i, line := range strings.Split(text, "\n") {
		_, what, _ := strings.Cut(line, "// ")
		switch kind, name, _ := strings.Cut(what, ": "); {
		case kind == "held" || kind == "free":
			held[i+1] = what
			_ = name
		case kind == "related":
			want = append(want, name)
		case strings.Contains(what, " ["):
			want = append(want, what)
		}
	}
	for _, b := range of.Bounds(testStructs{}) {
		got = append(got, b.String())
	}
	for _, r := range of.Relations(testStructs{}) {
		got = append(got, r.String())
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("bounds:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Whether a load of a field still holds at a line of the function.
	for _, n := range a.Calls().Nodes {
		if n.Body == nil || n.Body.Pkg != pkg {
			continue
		}
		var loads []*ssa.UnOp
		for _, b := range n.Body.Blocks {
			for _, instr := range b.Instrs {
				if load, ok := instr.(*ssa.UnOp); ok {
					loads = append(loads, load)
				}
				line := pkg.Prog.Fset.Position(instr.Pos()).Line
				kind, name, ok := strings.Cut(held[line], ": ")
				if !ok {
					continue
				}
				delete(held, line)
				found := false
				for _, load := range loads {
					if addr, ok := load.X.(*ssa.FieldAddr); ok && "q."+addr.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(addr.Field).Name() == name {
						found = found || of.Stays(load, addr, []ssa.Instruction{instr}, 0)
					}
				}
				if found != (kind == "held") {
					t.Errorf("line %d: %s stays: %v", line, name, found)
				}
			}
		}
	}
	if len(held) > 0 {
		t.Errorf("lines were not found: %s", fmt.Sprint(held))
	}
}
