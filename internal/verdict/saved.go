package verdict

// A Saved is what became of a finding that an earlier search of the target has saved.
type Saved struct {
	RunFile string
	Finding string // its kind and message
	Status  SavedStatus
	Why     string `json:",omitempty"` // the run cannot be followed
}

// A SavedStatus says what a saved run shows when it is made again with the present program.
type SavedStatus string

// What saved runs show.
const (
	// FailsStill: the same kind of finding, in the same function.
	FailsStill SavedStatus = "still fails"
	// FailsOtherwise: another finding.
	FailsOtherwise SavedStatus = "fails otherwise"
	// Fixed: nothing is wrong with the run, which was followed to its end.
	Fixed SavedStatus = "fixed"
	// Lost: the program does not take the way any more that the run took; Saved.Why says
	// where it ends. Nothing was found on the way that is left.
	Lost SavedStatus = "cannot be followed any more"
)
