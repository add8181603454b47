//go:build race

#include "textflag.h"

// The functions of the race detector need some stack, which is that of the goroutine. The detector's state of a
// goroutine is at an offset in what the runtime has of it.

// func begin(offset uintptr)
TEXT ·begin(SB),0,$16384-8
	MOVQ	(TLS), AX
	ADDQ	offset+0(FP), AX
	MOVQ	(AX), DI
	XORL	SI, SI
	MOVQ	SP, BX	// which a function in C keeps
	ANDQ	$~15, SP
	CALL	_ZN6__tsan17ThreadIgnoreBeginEPNS_11ThreadStateEm(SB)
	MOVQ	BX, SP
	RET

// func end(offset uintptr)
TEXT ·end(SB),0,$16384-8
	MOVQ	(TLS), AX
	ADDQ	offset+0(FP), AX
	MOVQ	(AX), DI
	MOVQ	SP, BX
	ANDQ	$~15, SP
	CALL	_ZN6__tsan15ThreadIgnoreEndEPNS_11ThreadStateE(SB)
	MOVQ	BX, SP
	RET
