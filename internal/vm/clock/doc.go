// Package clock says what a program reads on the clock.
//
// Code takes time, of which the virtual clock of the scheduler knows nothing. So what a
// goroutine reads is not the virtual time but an input of the run: a time
//
//   - not before the earliest virtual time at which the goroutine can be where it is,
//   - not before any other reading that happened before,
//   - not before the end of any duration that began after such a reading and has ended since,
//   - at most Settings.Stall after the last quiescent point.
//
// The input variable is by how much the reading is later than the other conditions ask for. It
// is zero unless the plan says otherwise. Timers and sleepers follow the virtual clock
// ([DueAfter]), so that a reading decides nothing as long as nobody compares it with another
// one. There is one exception: what is due within Settings.Stall of its beginning, and so could
// happen early, cannot do so if a reading says that it began late ([HoldsBack]).
//
// A goroutine may know of another one's reading without synchronising with it: a TryLock has
// failed, or its element came later in a channel. Therefore the scheduler finds the readings
// that happened before a step by its dependences on other steps.
package clock
