// Package static knows what a target can do before it is run.
//
// [New] finds the functions that a target reaches; an [Analysis] answers questions about them. Each
// kind of question has a package of its own, which says what it computes, how, and what it assumes:
//
//	callgraph  which functions are reached, and what calls what
//	control    control flow, post-dominators, and what depends on which branch
//	pointsto   what pointers may point to
//	escape     which objects goroutines share
//	lockset    which locks are held, and which may be
//	reaching   where what an instruction reads may have been written
//	protection what locks protect, how long that stays, and between which numbers it is
//	ownership  which structures have no part in common
//	loop       loops, and which of them may synchronise
//	distance   how far it is from one instruction to another
//	parallel   which functions may run at once, in different goroutines
//	effect     what functions do to memory that goroutines share
//	warning    where a target may race, deadlock or panic
//	place      the instructions at a line of the source, and the lines that have some
//
// Other packages build on these answers. For searches from the middle of a program:
//
//	closing    which channels are open, since who is to close them has not done so
//	waitgroup  which goroutines a wait group counts
//	initial    what is known of the state at given instructions, from all of these packages
//
// And for input-covering schedules:
//
//	synchronisation  which operations synchronise, and what decides which a run makes
//	epoch            where the markers are that cut runs into epochs
//
// Answers are in terms of SSA. What runs know is a site, an instruction of register code:
// code.Func.Source and code.Func.Instr lead from it to the instruction of SSA, and
// code.Func.Compiled leads back.
//
// All answers are on the safe side: what a run can do is among them, and they may contain what no run
// does. [Analysis.Unsound] says what that does not hold for.
package static
