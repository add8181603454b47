#include "textflag.h"

// func hook() bool
//
// It has the runtime call clock for the time, and reports whether that can be done: without a vDSO the
// runtime asks the kernel itself.
TEXT ·hook(SB),NOSPLIT,$0-1
	MOVB	$0, ret+0(FP)
	MOVQ	runtime·vdsoClockgettimeSym(SB), AX
	TESTQ	AX, AX
	JEQ	none
	MOVQ	AX, ·vdso(SB)
	LEAQ	clock<>(SB), AX
	MOVQ	AX, runtime·vdsoClockgettimeSym(SB)
	MOVB	$1, ret+0(FP)
none:
	RET

// clock is clock_gettime(2), with the calling convention of C: the number of the clock is in DI, 0 for
// the time of day and 1 for the monotonic clock, and SI points to where seconds and nanoseconds go.
TEXT clock<>(SB),NOSPLIT|NOFRAME,$0-0
	PUSHQ	DI
	PUSHQ	SI
	SUBQ	$8, SP	// which aligns the stack
	MOVQ	·vdso(SB), AX
	CALL	AX
	ADDQ	$8, SP
	POPQ	SI
	POPQ	DI
	MOVQ	·rate(SB), R8
	TESTQ	R8, R8
	JEQ	real
	MOVQ	0(SI), AX
	IMULQ	$1000000000, AX
	ADDQ	8(SI), AX
	ANDQ	$1, DI
	SHLQ	$4, DI
	SUBQ	0(R8)(DI*1), AX
	MOVQ	32(R8), CX
	SARQ	CX, AX
	ADDQ	8(R8)(DI*1), AX
	XORL	DX, DX
	MOVQ	$1000000000, R9
	DIVQ	R9
	MOVQ	AX, 0(SI)
	MOVQ	DX, 8(SI)
real:
	XORL	AX, AX
	RET
