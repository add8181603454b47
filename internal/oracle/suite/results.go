package suite

// Results say what became of programs that were compared.
type Results struct {
	Programs    int
	Compared    int            // to the end
	Left        map[string]int // the others, by reason
	Runs        int            // in the machine
	Differences []Difference
}

// A Difference is between what everyway says of a program and what is right.
type Difference struct {
	Seed   uint64
	What   string
	Source string // of the program, or of a smaller one with a difference
}

// Leave counts a program that was not compared.
func (r *Results) Leave(reason string) {
	if r.Left == nil {
		r.Left = map[string]int{}
	}
	r.Left[reason]++
}

// Add adds the results of other programs.
func (r *Results) Add(other *Results) {
	r.Programs += other.Programs
	r.Compared += other.Compared
	r.Runs += other.Runs
	r.Differences = append(r.Differences, other.Differences...)
	if r.Left == nil {
		r.Left = map[string]int{}
	}
	for reason, n := range other.Left {
		r.Left[reason] += n
	}
}
