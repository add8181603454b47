package cpu

// CacheLinePadSize is what separates fields that the hardware should not share.
const CacheLinePadSize = 64

// GOARCH's features are all off: every package takes its portable path.
func doinit() {}

// Name has no processor to name.
func Name() string { return "" }
