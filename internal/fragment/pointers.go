package fragment

import "golang.org/x/tools/go/ssa"

// A Region stands for a set of variables, by its index in Pointers. Region 0 stands for all.
type Region int32

// Pointers say where pointers may lead. A value has slots, in which pointers may be: one for each
// field that is no struct or array, and one for all elements of an array.
type Pointers struct {
	// Of has the regions of the slots of values.
	Of map[ssa.Value][]Region
	// Content has, by region and slot, where the pointers in its variables lead.
	Content [][]Region
	// Meets says of two regions whether a variable may be in both, and MeetsObject whether a
	// variable of one may be a part of one of the other.
	Meets, MeetsObject [][]bool
	// Single says of a region that a run makes one variable at most that pointers to it lead to.
	Single []bool
	// Channels says of the channels of a region what may have been done with them.
	Channels []Channel
}

// A Channel is what is known of channels.
type Channel struct {
	Used   bool // they are used from the context on
	Sent   bool // something may have been sent
	Closed bool // they may have been closed
	// Capacities are those that they can have, in order; nil if they are not known.
	Capacities []uint64
}

// IsSingle reports whether pointers to a region lead to one variable, if they are not nil.
func (p *Pointers) IsSingle(r Region) bool {
	return p != nil && r > 0 && int(r) < len(p.Single) && p.Single[r]
}

// Channel returns what is known of the channels of a region.
func (p *Pointers) Channel(r Region) Channel {
	if p == nil || r == 0 || int(r) >= len(p.Channels) {
		return Channel{Used: true, Sent: true, Closed: true}
	}
	return p.Channels[r]
}

// At returns where a pointer leads that is in a slot of the variables of a region.
func (p *Pointers) At(r Region, slot int) Region {
	if p == nil || r == 0 || slot < 0 || slot >= len(p.Content[r]) {
		return 0
	}
	return p.Content[r][slot]
}

// May reports whether a pointer that leads to one region may lead to a variable of another one, or
// if that is another kind of variable, to one that is a part of it or has it.
func (p *Pointers) May(a, b Region, sameKind bool) bool {
	switch {
	case p == nil || a == 0 || b == 0:
		return true
	case sameKind:
		return p.Meets[a][b]
	}
	return p.MeetsObject[a][b]
}
