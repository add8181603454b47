package sha256

// nativeBlock is blockGeneric on the state h, done by the machine in one instruction.
// It is false, and nothing is done, when something is symbolic or shared.
func nativeBlock(h *[8]uint32, p []byte) bool

func block(dig *Digest, p []byte) {
	if !nativeBlock(&dig.h, p) {
		blockGeneric(dig, p)
	}
}
