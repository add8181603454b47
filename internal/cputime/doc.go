// Package cputime tells how much time the processors have spent on this process, so
// that what is measured does not depend on what else a machine does.
package cputime
