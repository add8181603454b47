package fingerprint_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/everyway-go/everyway/internal/run"
	"github.com/everyway-go/everyway/internal/vm/heap"
	"github.com/everyway-go/everyway/internal/vm/race"
	"github.com/everyway-go/everyway/internal/vm/sched"
	"github.com/everyway-go/everyway/internal/vm/state"
)

// fields says of each type that is part of the state of a run which of its fields count for
// fingerprints, and why the others do not.
type fields struct {
	of     reflect.Type
	counts string            // names of fields that are part of a fingerprint, or whose content is
	denied map[string]string // fields that are not, but without which there is no fingerprint, and when that is
	not    map[string]string // the others, and why they do not count
}

// field returns the type of a field of x, or of its elements.
func field(x reflect.Type, names ...string) reflect.Type {
	for _, name := range names {
		f, ok := x.FieldByName(name)
		if !ok {
			panic(x.String() + " has no field " + name)
		}
		x = f.Type
		for x.Kind() == reflect.Slice || x.Kind() == reflect.Pointer {
			x = x.Elem()
		}
	}
	return x
}

var (
	stateType     = reflect.TypeFor[state.State]()
	goroutineType = reflect.TypeFor[state.Goroutine]()
	shadowType    = reflect.TypeFor[race.Shadow]()
	schedType     = reflect.TypeFor[sched.Scheduler]()
)

const (
	derived   = "follows from the rest"
	describes = "only describes the run, in events and reports"
	bounds    = "how far the run is from a limit"
	constant  = "does not change in a run, or from one run of a plan to another"
	memory    = "memory that is reused, or where the undo log is"
	inStep    = "is only used within a step"
)

var all = []fields{
	{
		of:     stateType,
		counts: "snapshot Heap Multi Live Races Touched",
		denied: map[string]string{
			"Unconditional": "set while recursion is looked at", "Pausing": "set", "Booting": "set", "Stops": "set", "Decisions": "see Stops",
			"Trace": "see Trace", "Plan": "see Plan", "Events": "Merged is not empty",
		},
		not: map[string]string{
			"Settings": constant, "Names": constant, "Funcs": constant, "Output": constant, "Program": constant, "Variables": constant,
			"Entry": constant, "Exposed": "only decides which names are kept", "Reserved": constant, "ZeroSized": constant, "Ctx": constant, "Tracing": constant,
			"Arena": "expressions count where something refers to them",
			"Holds": "a function", "Parked": "a function", "Reconsider": "a function", "Spawned": "a function", "Collects": "a function",
			"Reachable": "a function", "CalledDeep": "a function", "Traps": constant, "EachSite": constant, "Least": constant, "Allocated": describes, "LateIndex": derived,
			"saved": memory, "made": memory, "spare": memory, "Watching": derived, "Unwatched": constant, "CtxErr": "the run is over if it is set", "Fault": "none between steps", "Over": "not set between steps",
			"Tank": bounds, "Printed": describes, "flow": describes, "Last": "a matter of policies", "Slots": derived, "Ready": "empty between steps",
			"accessVisible": inStep, "fromVisible": inStep, "Step": "is only used within a step, where it is known whether that has only observed",
		},
	},
	{
		of:     field(stateType, "snapshot"),
		counts: "Goroutines Now Stalled ClockReadings Draws Keys Guessed LateSteps LatestReadings OldReadings Timers InputPrefix Bubbles Initialisers MainExited TestsRan Queues Late Rooms Parted counted helpers collection",
		denied: map[string]string{"InputHeap": "pointers are open; otherwise they are as the path says"},
		not: map[string]string{
			"Used": bounds, "output": bounds, "fits": bounds, "Inherits": derived, "soonest": derived, "manyTimers": "only when timers are looked for that nobody can see", "InitInstructions": bounds, "ReturnInstructions": bounds,
			"TimerEvents": describes, "Quiescent": "only the order of quiescent points counts, where they are compared",
		},
	},
	{
		of:     field(stateType, "snapshot", "collection"),
		counts: "Cleanups Collections Called Pools OldPools",
		denied: map[string]string{"Collectables": "not empty", "Finalizing": "not empty", "FinalizerSlot": "not 0"},
		not:    map[string]string{"Finalized": "the clock of a goroutine that exists only if FinalizerSlot is not 0"},
	},
	{
		of:     goroutineType,
		counts: "ID Stack Sym Frames Pending Allocs Spawns OfInitialiser Panics Texts Created goroutineState",
		denied: map[string]string{"Status": "Running, without a choice", "Granted": "set", "Merging": "on"},
		not: map[string]string{
			"StackSize": bounds, "Interval": memory, "Events": describes, "Asked": describes, "Func": describes,
		},
	},
	{
		of:     field(goroutineType, "goroutineState"),
		counts: "Thread Randoms At Prim PrimBase Phase Blocked Comms CommsBegan Selects HasDefault WaitsSince Served Inherited Cond Notified Wakeup When Held Wakes Polling Reads Timers Late Bubble AloneAt Spin",
		denied: map[string]string{"Delivered": "set"},
		not: map[string]string{
			"Alt": "is set when a step is granted", "Got": "counts only while Delivered is set",
			"Middle": "follows from the frames and how goroutines were started", "Taken": "is empty while others can run", "Started": "is used only if Plan.Symmetry is set", "LastStep": "which goroutine has waited longest is a matter of policies",
		},
	},
	{of: reflect.TypeFor[race.Thread](), counts: "Slot Clock Held", not: map[string]string{"Flow": describes, "own": memory, "next": derived}},
	{of: field(goroutineType, "goroutineState", "Polling"), counts: "Since Number Sleeps Doublings", denied: map[string]string{"Head": "not nil"}},
	{of: reflect.TypeFor[state.Comm](), counts: "Send Chan Value Elem"},
	{of: reflect.TypeFor[state.Panicking](), counts: "Type Data Goexit Recovered Repanicked Commuting Origin At Call Text HasText"},
	{
		of: reflect.TypeFor[state.Frame](), counts: "Func Closure PC Base Symbolic Mode Defers",
		not: map[string]string{"Chain": derived, "deferring": describes},
	},
	{of: field(reflect.TypeFor[state.Frame](), "Defers"), counts: "Func closure args syms", not: map[string]string{"site": describes}},
	{of: reflect.TypeFor[state.Spin](), counts: "Watching Awaits Head Places Observations Revisits Limit pause", not: map[string]string{"Ranges": derived}},
	{of: reflect.TypeFor[state.HeadState](), counts: "frames Stack sym"},
	{of: reflect.TypeFor[state.Place](), counts: "Func PC depth"},
	{of: reflect.TypeFor[state.Observation](), counts: "until send at kind Word sym"},
	{of: reflect.TypeFor[state.Timer](), counts: "Alt Cell When Period Creator Child Clock Bubble Late Held Setting Wait Left Fired Shown OfInitialiser"},
	{of: reflect.TypeFor[state.Queue](), counts: "ID Bubble Channels Waiters"},
	{of: reflect.TypeFor[state.Room](), counts: "Object Words Small Ample Sym"},
	{
		of: reflect.TypeFor[heap.Object](), counts: "Cells Sym Kind ID Bytes Type Func Race",
		not: map[string]string{
			"interval": memory, "pages": memory, "Initial": "says what could be reached at the first checkpoint", "Marking": "is not part of the state",
			"Watch": "who waits for a change follows from goroutines", "Desc": "is set for objects that do not change",
		},
	},
	{
		of: shadowType, counts: "Guards Unguarded ByCell Readers Writers Indexed Stored first pages Chan",
		not: map[string]string{"run": memory, "interval": memory, "Visible": constant, "owner": derived, "untouched": derived, "firstDigest": derived, "pageDigests": derived},
	},
	{
		of: reflect.TypeFor[race.Cell](), counts: "Write read rare",
		not: map[string]string{"WriteEvent": describes, "interval": memory, "owner": derived, "noted": describes},
	},
	{
		of: field(reflect.TypeFor[race.Cell](), "rare"), counts: "reads sync protection",
		not: map[string]string{"ownRead": derived},
	},
	{
		of: reflect.TypeFor[race.Sync](), counts: "Clock Readers reads writes adds uses hidden Waits Adds Count",
	},
	{of: reflect.TypeFor[race.Chan](), counts: "Close Closer elements", not: map[string]string{
		"Closed": describes, "Of": derived, "Sends": "say more of sends only that come before the close because of a bound",
	}},
	{of: reflect.TypeFor[race.Element](), counts: "Clock Firing", not: map[string]string{"Sent": describes}},
	{of: reflect.TypeFor[race.Access](), counts: "epoch place"},
	{of: reflect.TypeFor[race.Clock](), counts: "first more Time Readings", not: map[string]string{"Of": derived}},
	{of: reflect.TypeFor[race.Reading](), counts: "Time Value Latest Terms Reader Sent", not: map[string]string{"hash": derived}},
	{of: reflect.TypeFor[race.Firing](), counts: "Creator Setting Number Wait Quiescent Time Latest Readings"},
	{
		of:     reflect.TypeFor[race.Detector](),
		counts: "touched cells syncs",
		denied: map[string]string{"pairs": "not empty, with Trace.Unordered", "pairList": "likewise"},
		not: map[string]string{
			"Found": "a function", "Shown": "not empty where atomic operations are hidden, with Trace.Atomics", "Watched": "makes the search begin again", "Flow": describes, "turn": memory, "Mixed": "makes the search begin again", "run": memory, "block": memory, "taken": memory, "synced": memory, "digests": derived, "undo": memory,
			"contexts": "they are numbered in all runs together", "numbering": "it is part of accesses",
		},
	},
	{
		of:     reflect.TypeFor[run.Transition](),
		counts: "Decision Op Object Offset Cells From Partner Bubble State Delta Awaits Site Queue Spins Compares Select Commutes Contingent Enabled Waits Queued",
		not:    map[string]string{"Default": "that of the goroutine"},
	},
	{
		of:     reflect.TypeFor[run.Plan](),
		denied: map[string]string{"ReadSymbols": "set", "Symmetry": "set"},
		not: map[string]string{
			"Input": "inputs count as symbolic values, or with the values that were drawn", "Prefix": "the past", "Visible": constant,
			"Merge": "what has been merged is in State.Events", "OneOrder": constant, "Record": constant, "RecordPlain": constant, "RecordAllocations": constant, "InputToState": constant,
			"AddsCommute": constant, "ForgetUses": constant, "ForgetAccesses": constant, "ForgetKnowledge": constant, "ForgetUnread": constant, "Unprotected": constant, "Rename": constant, "MergePlaces": constant,
		},
	},
	{
		of:     reflect.TypeFor[run.Trace](),
		counts: "Inputs Path Initialisers Collected AddsMatter Added TimersHeld TimeCut Bounds Parallel Seeds Params Tests Subtests",
		denied: map[string]string{
			"Panic": "not nil", "FatalError": "not nil", "Exit": "not nil", "Stuck": "not nil", "TestFailures": "not empty", "Unjudged": "not empty",
			"Unordered": "not empty", "ClosedSends": "not empty", "Skipped": "set", "Reached": "needs stops, see State.Stops",
		},
		not: map[string]string{
			"Outcome": "is set when the run is over", "GoroutinesMatter": "makes the search begin again", "NamesMatter": "makes the search begin again", "PlacesMatter": "makes the search begin again", "LogsMatter": "makes the search begin again", "Atomics": "is set when the run is over", "QuietAtomics": "is set when the run is over", "Unprotected": "makes the search begin again", "LocksMatter": "makes the search begin again", "UsesMatter": "is set when the run is over", "Unfinished": "is set when the run is over", "Message": "is set when the run is over", "Decisions": "the past", "Events": describes,
			"Correspondences": describes, "GivenUp": "has been recorded", "PlacedBounds": "have been recorded", "Symmetric": "needs Plan.Symmetry",
			"Accesses": derived, "Covered": describes, "Flow": describes, "Shape": "is set when the run is over", "Stall": "has been recorded", "Pending": derived, "Instructions": bounds,
		},
	},
	{
		of:     field(schedType, "checkpoints", "progress"),
		counts: "multi inputs path",
		denied: map[string]string{"trace": "see Trace", "merged": "not 0"},
		not: map[string]string{
			"steps": bounds, "last": "a matter of policies", "fuel": bounds, "unchecked": bounds, "pauses": bounds, "arena": memory, "printed": describes,
			"decisions": "the past", "events": describes, "correspondences": describes, "givenUp": "has been recorded", "placedBounds": "have been recorded",
			"covered": describes, "marks": "for states that repeat", "enabled": "for states that repeat", "moved": "for states that repeat",
			"otherChoice": "for states that repeat", "idle": "when a run looks for deadlocks",
		},
	},
	{
		of: schedType, counts: "State choosing",
		denied: map[string]string{"recursion": "active"},
		not: map[string]string{
			"FromStart": constant, "exec": constant, "policy": constant, "watcher": constant, "continuing": constant, "point": inStep,
			"checkpoints": memory, "lateSteps": memory, "Pending": derived, "cycle": "for states that repeat, see progress", "prints": "is not part of a run", "lesson": memory,
			"fingerprint": "a function", "known": "a function", "words": "a function", "turned": "a function", "askedLive": "only makes an answer fast", "initial": "only makes an answer fast", "code": constant, "Resumption": memory, "Checkpointed": "a function",
		},
	},
}

// Somebody has thought about each field of the state of a run.
func TestFields(t *testing.T) {
	for _, f := range all {
		known := make(map[string]bool)
		note := func(name string) {
			if known[name] {
				t.Errorf("%v.%s is listed twice", f.of, name)
			}
			known[name] = true
			if _, ok := f.of.FieldByName(name); !ok {
				t.Errorf("%v has no field %s", f.of, name)
			}
		}
		for name := range strings.FieldsSeq(f.counts) {
			note(name)
		}
		for name := range f.denied {
			note(name)
		}
		for name := range f.not {
			note(name)
		}
		for i := range f.of.NumField() {
			if name := f.of.Field(i).Name; !known[name] {
				t.Errorf("%v.%s: does it count for fingerprints?", f.of, name)
			}
		}
	}
}
