// Package roundrobin is the simplest strategy: every run has the same fair schedule, in which
// goroutines take their steps in turn. It runs the seeds, then the empty input, and learns
// nothing from the runs.
package roundrobin
