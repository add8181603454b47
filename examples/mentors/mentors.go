// Package mentors counts the points of people and of their mentors, with a bug: a person
// stays locked while the mentor is being locked.
package mentors

import "sync"

// A Person has points, and perhaps a mentor, who gets a share of them.
type Person struct {
	mu     sync.Mutex
	points int
	mentor *Person
}

// New returns a person without points.
func New(mentor *Person) *Person { return &Person{mentor: mentor} }

// Points returns the points of p.
func (p *Person) Points() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.points
}

// Praise gives points to p and, if they are ten or more, a tenth of them to the mentor.
func (p *Person) Praise(points int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.points += points
	if m := p.mentor; m != nil && m != p && points >= 10 {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.points += points / 10
	}
}
