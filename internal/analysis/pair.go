package analysis

// A Pair is where in the program two events are. Detectors of races look for one race of each.
type Pair [2]place

// PairOf returns the places of two sites, and whether both are known.
func PairOf(a, b *Site) (p Pair, located bool) {
	return Pair{{location: a.Location, op: a.Op}, {location: b.Location, op: b.Op}}, a.Location != 0 && b.Location != 0
}
