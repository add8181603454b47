// Package ctrace is a library for tracing threads after ctrace 1.2: threads
// register with a name, and print messages of units and levels that are on. The
// registered threads are in a hash table without a lock: to look a thread up and
// to use what was found are two steps, between which it can be removed.
package ctrace

import "sync"

// A Level says how important a message is.
type Level int

// The levels.
const (
	None Level = iota
	Low
	Medium
	High
)

// A Unit is a part of the program that is traced; there are up to 32.
type Unit uint

// buckets is the size of the hash table.
const buckets = 4

// An entry is a thread that is registered.
type entry struct {
	id    int
	name  string
	level Level
	next  *entry // in the bucket
}

// A Trace is the state of the library.
type Trace struct {
	// Set before there is more than one thread.
	level Level
	units uint32
	width int // of names
	quiet bool

	table [buckets]*entry

	mu    sync.Mutex
	lines int // printed
}

// New returns a trace that prints up to level.
func New(level Level, units ...Unit) *Trace {
	t := &Trace{level: level, width: 8}
	if level < None {
		t.level = None
	} else if level > High {
		t.level = High
	}
	if len(units) == 0 {
		t.units = 1<<32 - 1
	}
	for _, u := range units {
		if u >= 32 {
			continue
		}
		t.units |= 1 << u
	}
	return t
}

// SetWidth sets the width of names.
func (t *Trace) SetWidth(width int) {
	switch {
	case width < 1:
		t.width = 1
	case width > 16:
		t.width = 16
	default:
		t.width = width
	}
}

// Quiet turns all output off or on.
func (t *Trace) Quiet(quiet bool) {
	if t.quiet == quiet {
		return
	}
	t.quiet = quiet
}

// hash returns the bucket of a thread.
func hash(id int) int {
	if id < 0 {
		id = -id
	}
	for id >= 1<<8 {
		id = id>>8 ^ id&(1<<8-1)
	}
	return id % buckets
}

// find returns the entry of a thread, nil if there is none.
func (t *Trace) find(id int) *entry {
	for e := t.table[hash(id)]; e != nil; e = e.next {
		if e.id == id {
			return e
		}
	}
	return nil
}

// Add registers a thread. It reports false when it is registered already or has
// no name.
func (t *Trace) Add(id int, name string, level Level) bool {
	if name == "" {
		return false
	}
	if t.find(id) != nil {
		return false
	}
	if len(name) > t.width {
		name = name[:t.width]
	}
	if level > t.level {
		level = t.level
	}
	h := hash(id)
	if !printable(name) {
		name = "?"
	}
	t.table[h] = &entry{id: id, name: name, level: level, next: t.table[h]}
	return true
}

// printable reports whether a name can be shown as it is.
func printable(name string) bool {
	for _, c := range name {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// Remove takes a thread out. It reports false when it is not registered.
func (t *Trace) Remove(id int) bool {
	h := hash(id)
	e := t.table[h]
	if e == nil {
		return false
	}
	if e.id == id {
		t.table[h] = e.next
		return true
	}
	for ; e.next != nil; e = e.next {
		if e.next.id == id {
			e.next = e.next.next
			return true
		}
	}
	return false
}

// on reports whether messages of the unit are printed at the level.
func (t *Trace) on(u Unit, level Level) bool {
	if t.quiet {
		return false
	}
	if u >= 32 || t.units&(1<<u) == 0 {
		return false
	}
	return level > None && level <= t.level
}

// Print prints a message for a thread, which must be registered; otherwise
// nothing is printed. It returns the length of the line.
func (t *Trace) Print(id int, u Unit, level Level, message string) int {
	if !t.on(u, level) {
		return 0
	}
	if t.find(id) == nil {
		return 0
	}
	e := t.find(id) // bug: it may have been removed
	if e == nil {
		panic("ctrace: print for a thread that is gone")
	}
	if level > e.level {
		return 0
	}
	n := line(e.name, message, t.width)
	t.mu.Lock()
	t.lines++
	t.mu.Unlock()
	return n
}

// line returns the length of the line for a message.
func line(name, message string, width int) int {
	n := len(name)
	for n < width {
		n++
	}
	for _, c := range message {
		switch {
		case c == '\t':
			n += 8 - n%8
		case c == '\n':
			n++
		case c < ' ':
			n += 2 // as ^X
		default:
			n++
		}
	}
	return n + 1
}
