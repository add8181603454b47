//go:build !linux

package memory

// AdviseHugePages does nothing: huge pages are for Linux.
func AdviseHugePages(Size) {}
