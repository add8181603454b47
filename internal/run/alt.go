package run

// The Alt of a Step decision packs what tells the ways of a step apart: the
// chosen case of the goroutine's own select, the goroutine that the step
// completes or wakes, and that goroutine's own case. Goroutines are given by
// their slot, the order of their creation in the run: along a run a slot never
// changes its meaning.
//
//	bits  0 to  7  own case
//	bits  8 to 15  partner's case
//	bits 16 to 30  partner's slot + 1, 0 without a partner
//
// AltDefault stands for the default case. The Alt of a timer is its serial
// number in the run.

const (
	AltDefault = -1
	NoPartner  = -1 // stands for the slot of a partner where there is none
	// MaxCases is the number of select cases that Alt can tell apart.
	MaxCases = 1 << 8
	// MaxSlots is the number of goroutines of a run that Alt can tell apart.
	MaxSlots = 1<<15 - 1
)

// AltOf packs an Alt. The slot of the partner is NoPartner without one.
func AltOf(own int, partner int32, theirs int) int32 {
	return int32(own) | int32(theirs)<<8 | (partner+1)<<16
}

// AltCase returns the own case in alt.
func AltCase(alt int32) int { return int(alt & (MaxCases - 1)) }

// AltPartner returns the slot of the partner in alt and the partner's case.
// ok is false when there is no partner.
func AltPartner(alt int32) (slot int32, theirs int, ok bool) {
	slot = alt>>16 - 1
	return slot, int(alt >> 8 & (MaxCases - 1)), alt >= 0 && slot >= 0
}

// Case returns the case of a select that a Step decision of a goroutine
// chooses, 0 for other operations, -1 for the default case.
func (d Decision) Case() int {
	if d.Alt == AltDefault {
		return -1
	}
	return AltCase(d.Alt)
}

// PartnerCase returns the case of a select in which the goroutine that a Step
// decision completes takes part, 0 when it is at no select or there is none.
func (d Decision) PartnerCase() int {
	_, theirs, ok := AltPartner(d.Alt)
	if !ok {
		return 0
	}
	return theirs
}
