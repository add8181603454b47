package vm

import "go/token"

// Site returns the function that a site is in, as runtime.FuncForPC names it,
// and the site's place in the source. They are zero for the site of something
// that no instruction did.
func (m *Machine) Site(id SiteID) (fn string, pos token.Pos) {
	if id.Func < 0 || int(id.Func) >= len(m.Funcs) {
		return "", token.NoPos
	}
	f := m.Funcs[id.Func]
	if id.Instr < 0 || int(id.Instr) >= len(f.Pos) {
		return f.Name, token.NoPos
	}
	return f.Name, f.Pos[id.Instr]
}

// Standard reports whether a site is in the standard library or in a model of it.
func (m *Machine) Standard(id SiteID) bool {
	return id.Func < 0 || int(id.Func) >= len(m.Funcs) || m.Funcs[id.Func].Standard
}

// FindSite returns the site of an instruction of the function with that name.
// It is false when no such function has been linked yet.
func (m *Machine) FindSite(fn string, instr int32) (SiteID, bool) {
	for i, f := range m.Funcs {
		if f.Name == fn {
			return SiteID{Func: int32(i), Instr: instr}, true
		}
	}
	return SiteID{}, false
}
