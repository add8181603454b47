package md5

const haveAsm = true

// nativeBlock is blockGeneric on the state s, done by the machine in one instruction.
// It is false, and nothing is done, when something is symbolic or shared.
func nativeBlock(s *[4]uint32, p []byte) bool

func block(dig *digest, p []byte) {
	if !nativeBlock(&dig.s, p) {
		blockGeneric(dig, p)
	}
}
