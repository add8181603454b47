package regalloc

// A span is a range of times, from included, to excluded, in which a node holds
// something that is still needed.
//
// Times are two for each instruction: instruction i reads its operands at time 2i and
// writes its result at time 2i+1, or at 2i already if it writes early. See
// Function.number for the numbers of instructions.
type span struct{ from, to int32 }

// overlap reports whether two lists of ranges have a time in common.
func overlap(a, b []span) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].to <= b[0].from:
			a = a[1:]
		case b[0].to <= a[0].from:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// merge returns the union of two lists of disjoint ranges.
func merge(a, b []span) []span {
	out := make([]span, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || len(a) > 0 && a[0].from < b[0].from {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}
