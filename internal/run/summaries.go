package run

import "fmt"

// Summaries say what summaries have done for runs.
type Summaries struct {
	Trees        int `json:",omitempty"` // that were used
	Dropped      int `json:",omitempty"` // that took more than the code that they replaced
	Walks        int `json:",omitempty"` // how often a tree was walked
	Left         int `json:",omitempty"` // how often before a leaf
	Instructions int `json:",omitempty"` // that were replaced
	Steps        int `json:",omitempty"` // that were taken instead
	Accesses     int `json:",omitempty"` // of cells by the instructions
	Reads        int `json:",omitempty"` // of cells by the steps
	Writes       int `json:",omitempty"`
	// Off is the number of runs without summaries, since too little was gained or to measure that.
	// Gain is the part of the time of runs that was saved when it was measured last; it is 0 if it
	// never was.
	Off  int     `json:",omitempty"`
	Gain float64 `json:",omitempty"`
}

// Add adds the counts of others.
func (c *Summaries) Add(o Summaries) {
	c.Trees += o.Trees
	c.Dropped += o.Dropped
	c.Walks += o.Walks
	c.Left += o.Left
	c.Instructions += o.Instructions
	c.Steps += o.Steps
	c.Accesses += o.Accesses
	c.Reads += o.Reads
	c.Writes += o.Writes
	c.Off += o.Off
	if o.Gain != 0 {
		c.Gain = o.Gain
	}
}

// String says what was gained.
func (c Summaries) String() string {
	s := fmt.Sprintf("%d trees, of which %d do not pay, walked %d times, %d not to a leaf: %d steps for %d instructions, %d accesses to memory for %d",
		c.Trees, c.Dropped, c.Walks, c.Left, c.Steps, c.Instructions, c.Reads+c.Writes, c.Accesses)
	if c.Gain != 0 {
		s += fmt.Sprintf("; %+.1f%% time of runs when it was measured last, %d runs without", -100*c.Gain, c.Off)
	}
	return s
}
