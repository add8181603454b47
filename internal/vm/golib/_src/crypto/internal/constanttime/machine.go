package constanttime

// boolToUint8 is an intrinsic function of the compiler.
func boolToUint8(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
