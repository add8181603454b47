package suite

// Results say what became of programs that were compared.
type Results struct {
	Programs int
	Compared int            // to the end
	Left     map[string]int // the others, by reason
	Runs     int            // in the machine
	// Reductions are the programs that were compared, by each thing that the search left out (twice
	// the same) and by each two, in ascending order.
	Reductions  map[[2]string]int
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

// Without counts a program that was compared by a search which leaves these things out.
func (r *Results) Without(words []string) {
	if r.Reductions == nil {
		r.Reductions = map[[2]string]int{}
	}
	for i, one := range words {
		for _, other := range words[i:] {
			r.Reductions[pair(one, other)]++
		}
	}
}

// Both returns how many programs were compared by searches which leave both of two things out.
func (r *Results) Both(one, other string) int { return r.Reductions[pair(one, other)] }

func pair(one, other string) [2]string { return [2]string{min(one, other), max(one, other)} }

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
	if r.Reductions == nil {
		r.Reductions = map[[2]string]int{}
	}
	for of, n := range other.Reductions {
		r.Reductions[of] += n
	}
}
