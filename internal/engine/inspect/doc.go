// Package inspect shows a recorded run from within: at any of its points, forwards and backwards,
// the goroutines with their stacks, the variables of the source with their values, who holds
// which lock and who waits for whom.
//
// [Open] makes a recorded run once more, in the machine that made it, and lists its points: each
// time that a goroutine comes to another line, and each step of the schedule. [Session.Goto] goes to any
// of them. The machine is deterministic, so going back is going there again: the run resumes at the last
// checkpoint before the point (package sched), and is carried out from there. Going forwards continues
// the run where it stands.
//
// What a session shows ([Session.Goroutines], [Session.Frames], [Session.Variables], [Session.Locks]) is that of
// the point at which it stands. A [Value] follows pointers when it is asked to, and names the objects to which it
// refers, so that aliases show. [Session.Eval] evaluates Go expressions.
//
// The values of variables are followed from assignment to assignment (package variables), as registers
// lose them after their last use. A variable of which the value cannot be told is said not to be available.
package inspect
