// Package godebug gives every GODEBUG setting its default: the code under test
// is run as the newest language version would run it.
package godebug

// A Setting is one setting of $GODEBUG.
type Setting struct {
	name string
}

// New returns the setting of that name; a leading # marks an undocumented one.
func New(name string) *Setting { return &Setting{name: name} }

// Name returns the name of the setting.
func (s *Setting) Name() string {
	if s.Undocumented() {
		return s.name[1:]
	}
	return s.name
}

// Undocumented reports whether the setting is one for Go's own developers.
func (s *Setting) Undocumented() bool { return s.name != "" && s.name[0] == '#' }

// String returns name=value.
func (s *Setting) String() string { return s.Name() + "=" + s.Value() }

// Value returns the value, which is always the default.
func (s *Setting) Value() string { return "" }

// IncNonDefault counts a behaviour that is not the default; there is none.
func (s *Setting) IncNonDefault() {}
