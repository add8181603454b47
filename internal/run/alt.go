package run

// The Alt of a Step decision distinguishes the alternatives of a step. It packs the
// chosen case of the goroutine's own select, the goroutine that the step completes or
// wakes (its partner), and the partner's case. A goroutine is identified by its slot,
// which is its position in the order of creation: a slot does not change its meaning in
// the course of a run.
//
//	bits  0 to  7  own case
//	bits  8 to 15  partner's case
//	bits 16 to 30  partner's slot + 1, 0 without a partner
//
// AltDefault stands for the default case.
//
// The Alt of a timer packs the goroutine that set it and which of the timers of that
// goroutine it is:
//
//	bits  0 to 15  number of timers that the goroutine had set before
//	bits 16 to 30  slot of the goroutine

const (
	AltDefault = -1
	NoPartner  = -1 // the slot of the partner when there is none
	// MaxCases is the number of select cases that Alt can distinguish.
	MaxCases = 1 << 8
	// MaxSlots is the number of goroutines of a run that Alt can distinguish.
	MaxSlots = 1<<15 - 1
	// MaxTimers is the number of timers of a goroutine that Alt can distinguish.
	MaxTimers = 1 << 16
)

// AltOfTimer packs the Alt of a timer that the goroutine in slot sets after n others.
func AltOfTimer(slot, n int32) int32 { return slot<<16 | n }

// Timer returns, for a Step decision of a timer, the number of timers that its goroutine
// had set before.
func (d Decision) Timer() int32 { return d.Alt & (MaxTimers - 1) }

// AltOf packs an Alt. The argument partner is NoPartner when there is no partner.
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

// Case returns the select case that a Step decision chooses, 0 if the operation is not a
// select, and -1 for the default case.
func (d Decision) Case() int {
	if d.Alt == AltDefault {
		return -1
	}
	return AltCase(d.Alt)
}

// PartnerCase returns the select case of the goroutine that a Step decision completes, 0
// if that goroutine is not at a select or there is no such goroutine.
func (d Decision) PartnerCase() int {
	_, theirs, ok := AltPartner(d.Alt)
	if !ok {
		return 0
	}
	return theirs
}
