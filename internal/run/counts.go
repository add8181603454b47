package run

// Counts says what became of the plans that a search considered. It does not include the
// number of completed runs.
type Counts struct {
	Candidates int // plans considered; in con2colic, interference scenario candidates
	Redundant  int // runs that were begun and then discarded as duplicates
	Blocked    int // runs that were begun and found to correspond to no execution of the program
}

// Add adds the counts of other.
func (c *Counts) Add(other Counts) {
	c.Candidates += other.Candidates
	c.Redundant += other.Redundant
	c.Blocked += other.Blocked
}

// Since returns the difference between c and the earlier counts before.
func (c Counts) Since(before Counts) Counts {
	return Counts{
		Candidates: c.Candidates - before.Candidates,
		Redundant:  c.Redundant - before.Redundant,
		Blocked:    c.Blocked - before.Blocked,
	}
}
