package chacha8rand

// fixed returns x, of which this run has only one value from now on if it is random.
func fixed(x uint64) uint64

// portableBlock is block: four ChaCha8 blocks of the seed from the counter on,
// interlaced as [16][4]uint32, two of these to each element of buf.
func portableBlock(seed *[4]uint64, buf *[32]uint64, counter uint32) {
	for i := range seed {
		seed[i] = fixed(seed[i])
	}
	key := [8]uint32{
		uint32(seed[0]), uint32(seed[0] >> 32), uint32(seed[1]), uint32(seed[1] >> 32),
		uint32(seed[2]), uint32(seed[2] >> 32), uint32(seed[3]), uint32(seed[3] >> 32),
	}
	for i := range uint32(4) {
		b := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
		copy(b[4:], key[:])
		b[12] = counter + i
		for range 4 {
			quarterRound(&b, 0, 4, 8, 12)
			quarterRound(&b, 1, 5, 9, 13)
			quarterRound(&b, 2, 6, 10, 14)
			quarterRound(&b, 3, 7, 11, 15)

			quarterRound(&b, 0, 5, 10, 15)
			quarterRound(&b, 1, 6, 11, 12)
			quarterRound(&b, 2, 7, 8, 13)
			quarterRound(&b, 3, 4, 9, 14)
		}
		// The key is added back, as in ChaCha20; constants and counter are not.
		for j, k := range key {
			b[4+j] += k
		}
		shift := 32 * (i & 1)
		for j, x := range b {
			at := 2*j + int(i>>1)
			buf[at] = buf[at]&^(0xffffffff<<shift) | uint64(x)<<shift
		}
	}
}

// quarterRound mixes four words of b.
func quarterRound(block *[16]uint32, i, j, k, l int) {
	a, b, c, d := block[i], block[j], block[k], block[l]
	a += b
	d ^= a
	d = d<<16 | d>>16
	c += d
	b ^= c
	b = b<<12 | b>>20
	a += b
	d ^= a
	d = d<<8 | d>>24
	c += d
	b ^= c
	b = b<<7 | b>>25
	block[i], block[j], block[k], block[l] = a, b, c, d
}
