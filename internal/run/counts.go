package run

// Counts says what became of the plans that a search considered. The number of runs that
// were made is counted elsewhere.
type Counts struct {
	Candidates int // plans considered; of con2colic, interference scenario candidates
	Redundant  int // runs begun and discarded as duplicates
	Blocked    int // runs begun and found impossible: they led to no execution of the program
}

// Add adds the counts of other.
func (c *Counts) Add(other Counts) {
	c.Candidates += other.Candidates
	c.Redundant += other.Redundant
	c.Blocked += other.Blocked
}

// Since returns what has been counted since the counts were before.
func (c Counts) Since(before Counts) Counts {
	return Counts{
		Candidates: c.Candidates - before.Candidates,
		Redundant:  c.Redundant - before.Redundant,
		Blocked:    c.Blocked - before.Blocked,
	}
}
