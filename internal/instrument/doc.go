// Package instrument rewrites sources for the ordinary compiler, so that a native run keeps to the
// schedule of a recorded run.
//
// A [Plan] is made of the events of a run file: the segments of the schedule, which are what one
// goroutine does between two context switches that matter, and the places in the source where a
// segment begins or ends or a goroutine is started. [Write] puts a control point at each of these
// places, in copies of the source files; the developer's files stay as they are. Insertions do not
// contain line breaks, so that lines keep their numbers. Package overlay brings the copies to the go command.
//
// The control points call package everyway/control, in _src, which the overlay adds to the standard
// library, so that any module can import it whatever its go.mod says. It holds a goroutine at the
// beginning of its segment until the segments before it are done, and lets everything else run.
package instrument
