package schedule

import (
	"errors"
	"strconv"
)

// A Table holds the names and locations of a schedule, to which events refer by numbers.
// The zero Table is not ready; use [NewTable].
type Table struct {
	names     []string
	byName    map[string]NameID
	bytes     int // of all names
	locations []Location
	at        map[Location]LocationID
}

// A NameID is the number of a name in a Table. It is 0 for the empty name.
type NameID int32

// A LocationID is the number of a Location in a Table. It is 0 where none is known.
type LocationID int32

// A Location is a place in a program.
type Location struct {
	File         NameID
	Line, Column int32 // from 1; 0 if they are not known
	Func         NameID
}

// Bounds of a table. A schedule that needs more is refused, since no true one does.
const (
	maxNames     = 1 << 22
	maxNameBytes = 1 << 28
	maxName      = 1 << 16 // bytes of one name
	maxLocations = 1 << 22
)

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{
		names:     make([]string, 1),
		byName:    map[string]NameID{"": 0},
		locations: make([]Location, 1),
		at:        map[Location]LocationID{{}: 0},
	}
}

// Name returns the name with the given number, an empty one if there is none.
func (t *Table) Name(id NameID) string {
	if id < 0 || int(id) >= len(t.names) {
		return ""
	}
	return t.names[id]
}

// NameID returns the number of a name, which it adds to the table if it is new.
func (t *Table) NameID(name string) (NameID, error) {
	if id, ok := t.byName[name]; ok {
		return id, nil
	}
	return t.add(name)
}

// add adds a new name.
func (t *Table) add(name string) (NameID, error) {
	switch {
	case len(name) > maxName:
		return 0, errors.New("a name of more than " + strconv.Itoa(maxName) + " bytes")
	case len(t.names) >= maxNames || t.bytes+len(name) > maxNameBytes:
		return 0, errors.New("too many names")
	}
	id := NameID(len(t.names))
	t.names = append(t.names, name)
	t.byName[name] = id
	t.bytes += len(name)
	return id, nil
}

// nameOf is NameID for bytes, which it does not keep.
func (t *Table) nameOf(name []byte) (NameID, error) {
	if id, ok := t.byName[string(name)]; ok {
		return id, nil
	}
	return t.add(string(name))
}

// has reports whether the table has the names and the location of e.
func (t *Table) has(e *Event) bool {
	return uint(e.Name) < uint(len(t.names)) && uint(e.Allocator) < uint(len(t.names)) && uint(e.Location) < uint(len(t.locations))
}

// Location returns the location with the given number, the zero one if there is none.
func (t *Table) Location(id LocationID) Location {
	if id < 0 || int(id) >= len(t.locations) {
		return Location{}
	}
	return t.locations[id]
}

// LocationID returns the number of a location, which it adds to the table if it is new.
func (t *Table) LocationID(l Location) (LocationID, error) {
	if id, ok := t.at[l]; ok {
		return id, nil
	}
	if len(t.locations) >= maxLocations {
		return 0, errors.New("too many locations")
	}
	id := LocationID(len(t.locations))
	t.locations = append(t.locations, l)
	t.at[l] = id
	return id, nil
}

// Position returns the place that a location stands for as file:line:column, as far as it is
// known.
func (t *Table) Position(id LocationID) string {
	l := t.Location(id)
	pos := t.Name(l.File)
	for _, n := range [...]int32{l.Line, l.Column} {
		if n == 0 {
			break
		}
		pos += ":" + strconv.Itoa(int(n))
	}
	return pos
}
