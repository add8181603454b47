package meter

// A Tank hands out the fuel of a machine: the number of instructions until it has to check limits. A meter
// takes samples more often than that, so with one the fuel comes in portions, and what is withheld comes
// after the next sample. Everything but the meter sees all of it, and so runs are the same with and without one.
type Tank struct {
	// Fuel is the number of instructions until limits are to be checked or a sample is to be taken.
	Fuel int64
	// Meter measures what runs cost; nil if nobody asks. SetMeter sets it.
	Meter *Meter

	portion  int64 // what Fuel was when it was handed out
	withheld int64
}

// SetMeter has a meter measure what runs cost, or none if it is nil. It is called between runs, and
// before the first checkpoint at which one may resume.
func (t *Tank) SetMeter(to *Meter) {
	*t = Tank{Fuel: t.Unspent(), Meter: to, portion: t.Unspent()}
}

// Unspent returns the number of instructions until limits are to be checked.
func (t *Tank) Unspent() int64 { return t.Fuel + t.withheld }

// SetFuel has limits checked after n instructions.
func (t *Tank) SetFuel(n int64) {
	if t.Meter == nil {
		t.Fuel = n
		return
	}
	t.Meter.Execute(t.portion - t.Fuel)
	t.handOut(n)
}

// handOut sets Fuel to what may be executed of n instructions until the next sample.
func (t *Tank) handOut(n int64) {
	t.Fuel = t.Meter.Next(n)
	t.portion, t.withheld = t.Fuel, n-t.Fuel
}

// Sampled is called when Fuel is spent. It takes a sample with the stack that at returns, if it is time for one,
// and returns true if that was all: limits need not be checked yet.
func (t *Tank) Sampled(at func() Stack) bool {
	if t.Meter == nil {
		return false
	}
	left := t.Unspent()
	if t.Meter.Execute(t.portion - t.Fuel) {
		t.Meter.Sample(at())
	}
	if left < 0 {
		t.Fuel, t.portion, t.withheld = left, left, 0
		return false
	}
	t.handOut(left)
	return true
}
