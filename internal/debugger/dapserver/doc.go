// Package dapserver serves the debugger to editors in the Debug Adapter Protocol
// (https://microsoft.github.io/debug-adapter-protocol).
//
// A [Server] handles the requests of one client, one after another: launch opens a run file, and what moves is
// answered at once and followed by an event when it has stopped. Goroutines are threads; the finding of the run is an
// exception. In the debug console of an editor the commands of package console can be used, such as waits and switch.
package dapserver
