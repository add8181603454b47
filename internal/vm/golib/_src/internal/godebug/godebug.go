// Package godebug has the GODEBUG settings of the program, which do not change while it runs.
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

// Value returns the value, which is empty if it is the toolchain's default.
func (s *Setting) Value() string { return setting(s.Name()) }

// setting returns the value that the program has set for a name.
func setting(name string) string

// IncNonDefault counts a behaviour that is not the default, for metrics that there are not.
func (s *Setting) IncNonDefault() {}
