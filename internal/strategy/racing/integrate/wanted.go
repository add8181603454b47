package integrate

import (
	"encoding/binary"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/everyway-go/everyway/internal/expr"
	"github.com/everyway-go/everyway/internal/run"
)

// In returns the conditions and relations of a shape for a run with another input, whose pointers
// lead to objects with other numbers: what both paths want is where the same pointers lead.
func (s *Shape) In(a *expr.Arena, input run.Input, pointers map[string]bool) []expr.ID {
	numbers := map[int32]int32{0: 0}
	todo := []int32{0}
	fields := make(map[int32][]string)
	for _, name := range slices.Sorted(maps.Keys(s.Relations)) {
		object, field := Parent(name)
		fields[object] = append(fields[object], field)
	}
	for len(todo) > 0 {
		object := todo[0]
		todo = todo[1:]
		for _, field := range fields[object] {
			to, _ := Target(s.Relations[Name(object, field)])
			code, ok := input[Name(numbers[object], field)]
			other, _ := Target(code)
			if _, known := numbers[to]; ok && !known && to != 0 && other != 0 {
				numbers[to] = other
				todo = append(todo, to)
			}
		}
	}
	var list []expr.ID
	for _, name := range slices.Sorted(maps.Keys(s.Relations)) {
		object, field := Parent(name)
		to, offset := Target(s.Relations[name])
		n, known := numbers[object]
		m, leads := numbers[to]
		if again := Name(n, field); known && leads && pointers[again] {
			code := uint64(0)
			if to != 0 {
				code = codeOf(m, offset)
			}
			list = append(list, a.Eq(a.VarOfRun(again, 64), a.Const(code, 64)))
		}
	}
	for _, cond := range s.Wanted {
		if again, ok := renamed(a, cond, func(object int32) (int32, bool) {
			n, ok := numbers[object]
			return n, ok
		}); ok {
			list = append(list, again)
		}
	}
	return list
}

// renamed returns an expression with other numbers of objects, false if there is none for one of them.
func renamed(a *expr.Arena, e expr.ID, number func(int32) (int32, bool)) (expr.ID, bool) {
	ok := true
	y := a.Replace(e, func(x expr.ID) (expr.ID, bool) {
		if a.Op(x) != expr.Var {
			return 0, false
		}
		object, field := Parent(a.VarName(x))
		if object == 0 {
			return x, true
		}
		n, is := number(object)
		if !is {
			ok = false
			return x, true
		}
		return a.VarOfRun(Name(n, field), a.Width(x)), true
	})
	return y, ok
}

// Hash returns a hash of the conditions of a path. It is the same for paths that differ only in
// which number an object has.
func Hash(a *expr.Arena, p *Path) uint64 {
	numbers := make(map[int32]int32)
	number := func(object int32) (int32, bool) {
		if object == 0 {
			return 0, true
		}
		n, ok := numbers[object]
		if !ok {
			n = int32(len(numbers)) + 1
			numbers[object] = n
		}
		return n, true
	}
	h := fnv.New64a()
	for _, c := range p.Conditions {
		if !c.Chosen {
			e, _ := renamed(a, c.Holds, number)
			h.Write(binary.LittleEndian.AppendUint64(nil, a.Hash(e)))
			continue
		}
		for _, v := range a.Vars(nil, c.Holds) {
			name := a.VarName(v)
			object, field := Parent(name)
			n, _ := number(object)
			to, offset := Target(p.Input[name])
			m, _ := number(to)
			h.Write(append([]byte(Name(n, field)), 0))
			h.Write(binary.LittleEndian.AppendUint64(nil, codeOf(m, offset)))
		}
	}
	return h.Sum64()
}
