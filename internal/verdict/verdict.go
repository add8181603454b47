package verdict

// A Verdict is what a search ends with.
type Verdict string

// The verdicts.
const (
	// Fails: an input and a schedule break the target.
	Fails Verdict = "fails"
	// Holds: every input and every interleaving was covered, within the bounds
	// that Result.Bounds names.
	Holds Verdict = "holds"
	// Open: the budget ran out or something was given up; Result.Open says what.
	Open Verdict = "open"
	// Skipped: the target skipped itself in every run.
	Skipped Verdict = "skipped"
	// Reached: the search was to reach some places, and a run has. Nothing is said to be wrong.
	Reached Verdict = "reached"
	// Unreachable: no input and no interleaving leads there, within the bounds that Result.Bounds names.
	Unreachable Verdict = "unreachable"
	// Possible: the search began in the middle of the program, and an input and a schedule break it
	// from there. Whether a run from the start gets there is not known; Result.Assumes says what is
	// taken for granted.
	Possible Verdict = "possible"
)
