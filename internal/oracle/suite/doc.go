// Package suite takes generated programs to the machine: it writes them as a Go test
// package, loads it, and gives the machine that runs its targets. Programs that also run
// natively are built by it.
//
// Many programs make one suite, since loading takes much longer than most searches. The
// packages below internal/oracle that generate programs use it, each with checks of
// its own.
package suite
