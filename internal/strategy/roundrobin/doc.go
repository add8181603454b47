// Package roundrobin is the plainest strategy: every run has the same fair schedule, in
// which goroutines take their steps in turn. It runs the inputs that it is given, then
// the empty one, and learns nothing from them.
package roundrobin
