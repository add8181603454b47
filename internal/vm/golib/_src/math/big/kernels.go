package big

// The kernels run natively where all words are concrete and belong to one goroutine, and
// both have words of 64 bits; otherwise they are GOROOT's portable ones. Each native function
// says whether it has done anything; s has to be more than 0 and less than 64.

func nativeAddVV(z, x, y []Word) (c Word, done bool)
func nativeSubVV(z, x, y []Word) (c Word, done bool)
func nativeLshVU(z, x []Word, s uint) (c Word, done bool)
func nativeRshVU(z, x []Word, s uint) (c Word, done bool)
func nativeMulAddVWW(z, x []Word, y, r Word) (c Word, done bool)
func nativeAddMulVVWW(z, x, y []Word, m, a Word) (c Word, done bool)

func addVV(z, x, y []Word) (c Word) {
	if c, done := nativeAddVV(z, x, y); done {
		return c
	}
	return addVV_g(z, x, y)
}

func subVV(z, x, y []Word) (c Word) {
	if c, done := nativeSubVV(z, x, y); done {
		return c
	}
	return subVV_g(z, x, y)
}

func lshVU(z, x []Word, s uint) (c Word) {
	if 0 < s && s < _W {
		if c, done := nativeLshVU(z, x, s); done {
			return c
		}
	}
	return lshVU_g(z, x, s)
}

func rshVU(z, x []Word, s uint) (c Word) {
	if 0 < s && s < _W {
		if c, done := nativeRshVU(z, x, s); done {
			return c
		}
	}
	return rshVU_g(z, x, s)
}

func mulAddVWW(z, x []Word, y, r Word) (c Word) {
	if c, done := nativeMulAddVWW(z, x, y, r); done {
		return c
	}
	return mulAddVWW_g(z, x, y, r)
}

func addMulVVWW(z, x, y []Word, m, a Word) (c Word) {
	if c, done := nativeAddMulVVWW(z, x, y, m, a); done {
		return c
	}
	return addMulVVWW_g(z, x, y, m, a)
}
