package sym

// A Failer is a testing.T, B or F.
type Failer interface {
	Helper()
	Error(args ...any)
	Fatal(args ...any)
}

// Assert fails the test unless cond holds, and ends it. What it says is as for t.Fatal.
func Assert(t Failer, cond bool, args ...any) {
	t.Helper()
	if cond {
		return
	}
	if len(args) == 0 {
		args = []any{"sym: the assertion does not hold for this input"}
	}
	t.Fatal(args...)
}

// Reachable asks whether the place that calls it can be reached: a run that comes there fails the test. The finding
// is the input and the interleaving that lead there; if the target holds, nothing does.
func Reachable(t Failer, place string) {
	t.Helper()
	t.Error("sym: reached " + place)
}
