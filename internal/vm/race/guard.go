package race

import (
	"slices"

	"github.com/everyway-go/everyway/internal/run"
)

// A Lock names a lock by its cell.
type Lock struct {
	Object run.ObjectID
	Offset int32
}

// Hold notes that t has locked l. Only locks that exclude all others are noted.
func (t *Thread) Hold(l Lock) { t.Held = append(slices.Clip(t.Held), l) }

// Unhold notes that t has unlocked l. It returns false if t did not hold it.
func (t *Thread) Unhold(l Lock) bool {
	i := slices.Index(t.Held, l)
	if i < 0 {
		return false
	}
	t.Held = slices.Concat(t.Held[:i], t.Held[i+1:])
	return true
}

// Guard notes with which locks t, which is about to be added to Readers or Writers, accesses the object
// (Savage, Burrows, Nelson, Sobalvarro, Anderson: Eraser, TOCS 1997, section 2). What comes before the
// first access with a lock held need not be protected if it happens before that access. If it does not, because
// the accesses are to different cells, no lock will be known to protect the object. The result is false if nothing
// is known to protect the object from races from now on, although that was the case: a lock, or that nobody writes
// to it after others have read it, even if it knows of that now: in a state that counts as the same it might not.
func (s *Shadow) Guard(t *Thread, write bool) bool {
	switch {
	case len(s.Guards) > 0:
		s.Guards = common(s.Guards, t.Held)
		s.Unguarded = len(s.Guards) == 0
		return !s.Unguarded
	case s.Readers.HasOther(t.Slot):
		return !write
	case s.Unguarded || len(t.Held) == 0:
	case s.Writers.HasOther(t.Slot) && s.anyWrite(func(a *Access) bool { return a.Concurrent(t) }):
		s.Unguarded = true
	default:
		s.Guards = t.Held
	}
	return true
}

// anyWrite reports whether ok is true of the last plain write to some cell of the object.
func (s *Shadow) anyWrite(ok func(a *Access) bool) bool {
	has := func(cells []Cell) bool {
		return slices.ContainsFunc(cells, func(c Cell) bool { return ok(&c.Write) })
	}
	return has(s.first) || slices.ContainsFunc(s.pages, has)
}

// Bypasses reports whether t, which uses cell c of the object for a lock or another primitive, does so without
// the locks that are known to protect the object, although there have been plain writes to the cell: that
// these were made with the locks held does not order them with the use.
func (s *Shadow) Bypasses(t *Thread, c *Cell) bool {
	guards := s.Guards
	if s.ByCell {
		guards, _ = c.Guards()
	}
	return len(guards) > 0 && c.Written() && len(common(guards, t.Held)) == 0
}

// A protection is what protects a cell, as for the objects that are noted as a whole. It is not changed.
type protection struct {
	guards    []Lock
	unguarded bool
	reader    int32 // 1 + the slot of the goroutine that has read the cell, 0 if there is none
	several   bool  // others have read it, too
}

// Guard is Shadow.Guard for a cell by itself, which t is about to access.
func (c *Cell) Guard(t *Thread, write bool) bool {
	var p protection
	if c.rare != nil && c.rare.protection != nil {
		p = *c.rare.protection
	}
	before, known := p, true
	readByOther := p.several || p.reader != 0 && p.reader != t.Slot+1
	switch {
	case len(p.guards) > 0:
		p.guards = common(p.guards, t.Held)
		p.unguarded = len(p.guards) == 0
		known = !p.unguarded
	case readByOther:
		known = !write
	case !p.unguarded: // an earlier write that does not happen before this access is a race already
		p.guards = t.Held
	}
	switch {
	case write:
	case readByOther:
		p.several = true
	default:
		p.reader = t.Slot + 1
	}
	if len(p.guards) != len(before.guards) || p.unguarded != before.unguarded || p.reader != before.reader || p.several != before.several {
		c.more().protection = &p
	}
	return known
}

// Guards returns the locks that protect the cell by itself, and whether there are none any more.
func (c *Cell) Guards() (guards []Lock, unguarded bool) {
	if c.rare == nil || c.rare.protection == nil {
		return nil, false
	}
	return c.rare.protection.guards, c.rare.protection.unguarded
}

// Holds reports whether t holds l.
func (t *Thread) Holds(l Lock) bool { return slices.Contains(t.Held, l) }

// common returns the locks that are in both lists, which it does not change.
func common(a, b []Lock) []Lock {
	if !slices.ContainsFunc(a, func(l Lock) bool { return !slices.Contains(b, l) }) {
		return a
	}
	var both []Lock
	for _, l := range a {
		if slices.Contains(b, l) {
			both = append(both, l)
		}
	}
	return both
}
