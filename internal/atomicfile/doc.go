// Package atomicfile writes files that are complete at every moment: after a crash, too, a
// file is the whole of what it was before or the whole of what it was to be.
package atomicfile
