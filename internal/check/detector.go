package check

import "github.com/everyway-go/everyway/internal/run"

// A Detector finds what is wrong with a run in one way.
type Detector struct {
	Kind   Kind
	Weight int    // findings of lower weight come first
	Doc    string // what the kind means, in a line

	// Native says that a native run shows the finding, too: it ends the program, or fails
	// the test.
	Native bool
	// Stuck says that the goroutines of a finding get no further. What they wait for is
	// then part of what led to it.
	Stuck bool
	// AfterReturn says that the finding is about what remains when the target has
	// returned. A program has none: it ends with its main function. Whether it makes
	// other targets fail is up to Leaks.
	AfterReturn bool
	// Symmetric says that a finding and its Other may change places.
	Symmetric bool
	// Sought says that the finding is nothing wrong: the search was asked to reach a place, and has.
	Sought bool

	detect func(*run.Trace) []Finding
}

// Detectors has a row for each kind of finding. The weights have what ends a program
// before what merely could, and causes before consequences.
var Detectors = [...]Detector{
	{
		Kind: Panic, Weight: 0, Native: true, detect: panics,
		Doc: "a panic that was not recovered",
	},
	{
		Kind: FatalError, Weight: 1, Native: true, detect: fatalErrors,
		Doc: "a misuse from which Go does not let a program recover, such as the unlock of an unlocked mutex",
	},
	{
		Kind: TestFailure, Weight: 2, Native: true, detect: testFailures,
		Doc: "`t.Error`, `t.Fatal` and similar calls, and an exit with a status other than 0",
	},
	{
		Kind: NotLinearizable, Weight: 2, Native: true, detect: histories,
		Doc: "with `everyway linear`: several goroutines call methods of a value, and no order of the same calls, made one at a time, has the same results and blocks the same calls",
	},
	{
		Kind: Deadlock, Weight: 3, Native: true, Stuck: true, detect: deadlocks,
		Doc: "the target has not returned, and nothing can wake its goroutines any more",
	},
	{
		Kind: Livelock, Weight: 3, Stuck: true, detect: livelocks,
		Doc: "the target has not returned, and goroutines run for ever without getting anywhere",
	},
	{
		Kind: Race, Weight: 4, Symmetric: true, detect: races,
		Doc: "two accesses to a variable, at least one of them a write, or a send on a channel and its close, that no synchronization orders",
	},
	{
		Kind: Leak, Weight: 5, Stuck: true, AfterReturn: true, detect: leaks,
		Doc: "the target has returned, and a goroutine is blocked for ever on something that nothing live can reach, or runs for ever without getting anywhere",
	},
	{
		Kind: BackgroundGoroutine, Weight: 6, Stuck: true, AfterReturn: true, detect: backgroundGoroutines,
		Doc: "with `-leaks all`: the target has returned, and a goroutine is blocked on what a package variable can still reach",
	},
	{
		Kind: TimerGoroutine, Weight: 7, Stuck: true, AfterReturn: true, detect: timerGoroutines,
		Doc: "with `-leaks all`: the target has returned, and a goroutine lives on timers, or may be woken by one that does",
	},
	{
		Kind: RunningGoroutine, Weight: 8, Stuck: true, AfterReturn: true, detect: runningGoroutines,
		Doc: "with `-leaks all`: the target has returned, and a goroutine goes on to change what it or others see",
	},
	{
		Kind: Reached, Weight: 9, Sought: true, detect: reached,
		Doc: "with `-reach`: nothing is wrong, and goroutines are at the places that the search was to reach",
	},
}

// Of returns the detector of a kind. It is the zero Detector for a kind that there is not,
// which a run file may have.
func Of(k Kind) Detector {
	for i := range Detectors {
		if Detectors[i].Kind == k {
			return Detectors[i]
		}
	}
	return Detector{}
}
