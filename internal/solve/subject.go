package solve

import "time"

// A Subject says what a query is about. Only who makes the query knows what it stands for; 0 is
// nothing in particular.
type Subject int32

// About says what the queries from now on are about, for Options.Timed.
func (s *Solver) About(what Subject) { s.subject = what }

// timed reports how long queries took that began at a time, if anybody asks.
func (s *Solver) timed(queries int64, begun time.Time) {
	if s.options.Timed != nil {
		s.options.Timed(s.subject, queries, time.Since(begun))
	}
}

// now is the time, if anybody asks how long queries take.
func (s *Solver) now() (t time.Time) {
	if s.options.Timed != nil {
		t = time.Now()
	}
	return t
}
