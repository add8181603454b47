// Package kinds draws concurrent programs of package oracle from seeds. A [Config] says what they
// have in them, and [All] are the kinds that searches are compared on: some have a little of
// everything, others the few things that meet in one way of using goroutines.
//
// A kind that is about something of its own has a file for it, with a function of the generator that draws
// such a program, or a [Family] of dense.go, whose programs have their goroutines and the end of the target in common.
package kinds

import "github.com/everyway-go/everyway/internal/oracle"

// A Config says what programs have in them.
type Config struct {
	Mode  oracle.Mode
	Time  bool // sleepers and timers
	Clock bool // with Time, readings of the clock too
	Stall int  // Program.Stall
	Parks bool // Program.Parks
	Maps  bool // loops over maps that change meanwhile
	Nodes bool // nodes that are collected
	// Bubble is Program.Bubble. There are no nodes then, which are collected outside of
	// bubbles, and nothing is done by initialisers.
	Bubble bool
	Copies bool // Program.Copies
	Fields bool // Program.Fields
	Meets  bool // many goroutines, each of which communicates a few times, nearly always on channels without a buffer
	Counts bool // atomic variables, to which goroutines often add without looking at the sum
	Others bool // with Copies and Meets: goroutines beside the copies, and often a channel with a buffer
	Init   bool // an initialiser of the package does the first part, and there are no inputs
	// Closes says that goroutines wait at channels that are closed; see closes.go. The rest does
	// not count then, but for Mode.
	Closes bool
	// Logs says that goroutines write to the log of the test, also when it may be done. Nothing is
	// done by initialisers then.
	Logs bool
	// Leads says that goroutines wait for the one that has come first; see leads.go. The rest does
	// not count then, but for Mode.
	Leads bool
	// Polls says that goroutines look whether a timer has fired; see polls.go. The rest does not
	// count then, but for Mode, Stall and Parks.
	Polls bool
	// Contends says that goroutines contend for locks; see locks.go. The rest does not count then, but for Mode.
	Contends bool
	// Selects says that goroutines are at selects with channels in common, and with Time each with
	// a timer as well; see selects.go. The rest does not count then, but for Mode, Stall and Parks.
	Selects bool
	// Shares says, with Selects and Time, that there is one timer for all.
	Shares bool
	// Ticks says, with Selects and Time, that timers are tickers.
	Ticks bool
	// Overwrites says that goroutines overwrite what others have written; see overwrites.go. The
	// rest does not count then, but for Mode.
	Overwrites bool
	// Twice says that goroutines do some things at places that continue in the same way; see twice.go.
	Twice bool
	// Family is the one of dense programs; see dense.go. The rest does not count then, but for
	// Mode, Time, Copies, Stall, Parks and Bubble.
	Family Family
}

// A Kind is a kind of programs, which has a name for what they have beside the statements that all have.
type Kind struct {
	Name   string
	Config Config
}

// All are the kinds of programs that are compared.
var All = []Kind{
	{"concurrent", Config{}},
	{"time", Config{Time: true, Clock: true, Parks: true}},
	{"stall", Config{Time: true, Clock: true, Parks: true, Stall: 2*oracle.Unit - 1}},
	{"bubbles", Config{Time: true, Clock: true, Parks: true, Bubble: true}},
	{"maps", Config{Maps: true}},
	{"nodes", Config{Nodes: true}},
	{"initialisers", Config{Init: true}},
	{"copies", Config{Copies: true}},
	{"counters", Config{Counts: true}},
	{"counters of copies", Config{Copies: true, Counts: true}},
	{"fields", Config{Fields: true}},
	{"copies with fields", Config{Copies: true, Fields: true}},
	{"meetings", Config{Meets: true}},
	{"meetings of copies", Config{Copies: true, Meets: true}},
	{"meetings of copies and others", Config{Copies: true, Meets: true, Others: true}},
	{"closes", Config{Closes: true}},
	{"leaders", Config{Leads: true}},
	{"locks", Config{Contends: true}},
	{"selects", Config{Selects: true}},
	{"selects of copies", Config{Selects: true, Copies: true}},
	{"selects in bubbles", Config{Selects: true, Time: true, Parks: true, Bubble: true}},
	{"locks of copies", Config{Contends: true, Copies: true}},
	{"timeouts", Config{Selects: true, Time: true, Parks: true}},
	{"one timer", Config{Selects: true, Time: true, Shares: true, Parks: true}},
	{"one timer in bubbles", Config{Selects: true, Time: true, Shares: true, Parks: true, Bubble: true}},
	{"one timer with stall", Config{Selects: true, Time: true, Shares: true, Parks: true, Stall: oracle.Unit - 1}},
	{"tickers", Config{Selects: true, Time: true, Ticks: true, Parks: true}},
	{"tickers in bubbles", Config{Selects: true, Time: true, Ticks: true, Parks: true, Bubble: true}},
	{"tickers with stall", Config{Selects: true, Time: true, Ticks: true, Parks: true, Stall: oracle.Unit - 1}},
	{"polls", Config{Polls: true, Parks: true, Stall: oracle.Unit - 1}},
	{"overwrites", Config{Overwrites: true}},
	{"recoveries", Config{Family: Recoveries}},
	{"spins", Config{Family: Spins}},
	{"elements", Config{Family: Elements}},
	{"bits", Config{Family: Bits}},
	{"bits of copies", Config{Family: Bits, Copies: true}},
	{"readers", Config{Family: Readers}},
	{"lengths", Config{Family: Lengths}},
	{"conditions", Config{Family: Conditions}},
	{"conditions with timers", Config{Family: Conditions, Time: true, Parks: true}},
	{"groups", Config{Family: Groups}},
	{"alarms", Config{Family: Alarms, Parks: true}},
	{"tables", Config{Family: Tables}},
	{"tables with deletions", Config{Family: Deletions}},
	{"buffers", Config{Family: Buffers}},
	{"once functions", Config{Family: Functions}},
	{"subtests", Config{Family: Subtests}},
	{"replies", Config{Family: Replies}},
	{"pointers", Config{Family: Pointers}},
	{"pointers of copies", Config{Family: Pointers, Copies: true}},
	{"replies of copies", Config{Family: Replies, Copies: true}},
	{"exits", Config{Family: Exits}},
	{"contexts", Config{Family: Contexts}},
	{"contexts of copies", Config{Family: Contexts, Copies: true}},
	{"contexts with timers", Config{Family: Contexts, Time: true, Parks: true}},
	{"contexts in bubbles", Config{Family: Contexts, Time: true, Parks: true, Bubble: true}},
	{"places", Config{Twice: true}},
	{"places of copies", Config{Twice: true, Copies: true}},
	{"places with spins", Config{Twice: true, Family: Spins}},
	{"places with recoveries", Config{Twice: true, Family: Recoveries}},
	{"loads", Config{Family: Loads}},
	{"loads of copies", Config{Family: Loads, Copies: true}},
	{"sums", Config{Family: Sums}},
	{"sums of copies", Config{Family: Sums, Copies: true}},
	{"logs", Config{Logs: true}},
	{"logs of copies", Config{Logs: true, Copies: true}},
}
