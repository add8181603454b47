// Package parallel finds out which functions may run at the same time, in different goroutines of one run.
//
// [Analysis.Of] follows the calls of one target: a function with which the target or a go statement
// begins is a root, and what a root calls runs in its goroutine. [Result.AtOnce] says whether some
// functions may run at once: whether there is a goroutine for each of them. A root may be that of
// several goroutines, unless one go statement starts it, outside of loops, in a function that runs
// once itself.
//
// Nothing is known of what orders goroutines, such as that one is waited for before another one
// starts: functions that are said to run at once may never do so. What package reflect calls is not
// followed, since it may call everything.
package parallel
