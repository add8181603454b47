package vm

import (
	"github.com/everyway-go/everyway/internal/run"
	"go/token"
)

// Site returns the function that a site is in, as runtime.FuncForPC names it,
// and the site's place in the source. They are zero for the site of something
// that no instruction did.
func (m *Machine) Site(id run.SiteID) (fn string, pos token.Pos) {
	f := m.function(id)
	if f == nil {
		return "", token.NoPos
	}
	if id.Instr < 0 || int(id.Instr) >= len(f.Pos) {
		return f.Name, token.NoPos
	}
	return f.Name, f.Pos[id.Instr]
}

// Standard reports whether a site is in the standard library or in a model of it.
func (m *Machine) Standard(id run.SiteID) bool {
	f := m.function(id)
	return f == nil || f.Standard
}

// SiteOf returns the site of an instruction of the function with that name, be
// it linked already or not.
func (m *Machine) SiteOf(fn string, instr int32) run.SiteID {
	for i, f := range m.Funcs {
		if f != nil && f.Name == fn {
			return run.SiteID{Func: int32(i), Instr: instr}
		}
	}
	id, ok := m.reserved[fn]
	if !ok {
		id = int32(len(m.Funcs))
		m.Funcs = append(m.Funcs, nil)
		if m.reserved == nil {
			m.reserved = make(map[string]int32)
		}
		m.reserved[fn] = id
	}
	return run.SiteID{Func: id, Instr: instr}
}

// function returns the linked function of a site, nil when there is none.
func (m *Machine) function(id run.SiteID) *function {
	if id.Func < 0 || int(id.Func) >= len(m.Funcs) {
		return nil
	}
	return m.Funcs[id.Func]
}
