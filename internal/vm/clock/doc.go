// Package clock says what a program reads on the clock, and when what waits for a time can happen.
// It is package sched that lets time pass.
//
// The virtual clock stands still but for quiescent points, where everybody waits, and for events
// that are early. Those are timers that fire and sleepers that wake within Settings.Stall of the
// last quiescent point, while others could run ([DueTimers], [CanWake]). What follows an early
// event happens no earlier than that ([Carry]).
//
// Unless Settings.Stall is 0, timers and sleeps take a nanosecond more than the program asks for
// ([DueAfter], state.Lateness): natively no sleep is exact, and programs rely on having slept for
// more than they asked for.
//
// # Readings
//
// Code takes time, of which the virtual clock knows nothing. So what a goroutine reads ([Read]) is
// not the virtual time but an input of the run: a time
//
//   - not before the earliest virtual time at which the goroutine can be where it is,
//   - a nanosecond after any other reading, of a goroutine or sent by a timer, that happened
//     before, as clocks go on natively,
//   - not before the end of any duration that began after such a reading and has ended since,
//   - at most Settings.Stall after the last quiescent point, unless these conditions ask for more.
//
// The input variable is by how much the reading is later than the other conditions ask for. It is
// zero unless the plan says otherwise. Timers and sleepers follow the virtual clock ([DueAfter]),
// so that a reading decides nothing as long as nobody compares it with another one. There is one
// exception: what is due within Settings.Stall of its beginning, and so could happen early, cannot
// do so if a reading says that it began late ([HoldsBack]).
//
// A goroutine may know of another one's reading without synchronising with it: a TryLock has
// failed, or its element came later in a channel. Therefore Carry finds the readings that happened
// before a step by its dependences on other steps.
//
// # Programs that wait without end
//
// A goroutine that reads the clock again and again waits for it to move, and does so asleep
// ([Polls]). When the target has returned, timers and sleepers do not go on forever ([TimeCut]).
package clock
