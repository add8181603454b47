package run

import "fmt"

// SeedPrefix is put before the names of the variables of seed i in an input that goes
// through several seeds, one after the other: see [InTurn]. The prefix itself is a variable
// that says that there is such a seed.
func SeedPrefix(i int) string { return fmt.Sprintf("seed#%d ", i) }

// InTurn returns the input with which a fuzz target is called for each of the seeds, one
// after the other, in one run.
func InTurn(seeds []Input) Input {
	in := Input{}
	for i, seed := range seeds {
		prefix := ""
		if i < len(seeds)-1 {
			prefix = SeedPrefix(i)
			in[prefix] = 1
		}
		for name, v := range seed {
			in[prefix+name] = v
		}
	}
	return in
}

// InTurn reports whether in goes through several seeds.
func (in Input) InTurn() bool {
	_, ok := in[firstSeed]
	return ok
}

// firstSeed is in all inputs that go through several seeds.
var firstSeed = SeedPrefix(0)
