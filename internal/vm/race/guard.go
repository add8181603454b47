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
// first access with a lock held need not be protected: it happens before that access, or a race has been
// found. The result is false if nothing is known to protect the object from races from now on, although that
// was the case: a lock, or that nobody writes to it after others have read it.
func (s *Shadow) Guard(t *Thread, write bool) bool {
	switch {
	case len(s.Guards) > 0:
		s.Guards = common(s.Guards, t.Held)
		s.Unguarded = len(s.Guards) == 0
		return !s.Unguarded
	case s.Readers.HasOther(t.Slot):
		return !write
	case !s.Unguarded:
		s.Guards = t.Held
	}
	return true
}

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
