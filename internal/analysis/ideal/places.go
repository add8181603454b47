package ideal

import "github.com/everyway-go/everyway/schedule"

// maxPlaces is for how many pairs of accesses witnesses are made.
const maxPlaces = 1 << 10

// Places are pairs of places of the program for which there is a witness. One is enough, since
// findings at the same places are one finding.
type Places struct {
	known map[[2]schedule.LocationID]bool
	n     int
}

// Add reports whether a witness is to be made for a pair of accesses, and takes it that it is.
// Those whose place is not known have one each.
func (p *Places) Add(a, b schedule.LocationID) bool {
	key := [2]schedule.LocationID{a, b}
	if p.n == maxPlaces || a != 0 && b != 0 && p.known[key] {
		return false
	}
	if p.known == nil {
		p.known = make(map[[2]schedule.LocationID]bool)
	}
	p.known[key] = true
	p.n++
	return true
}
