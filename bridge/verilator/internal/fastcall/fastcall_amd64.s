#include "textflag.h"

// func call(stack, fn, handle uintptr, in, out *byte, n int64) int32
//
// C preserves R12 and BP. The Go caller expects no other register to be preserved.
TEXT ·call(SB), NOSPLIT, $0-52
	MOVQ stack+0(FP), BX
	MOVQ fn+8(FP), AX
	MOVQ handle+16(FP), DI
	MOVQ in+24(FP), SI
	MOVQ out+32(FP), DX
	MOVQ n+40(FP), CX
	MOVQ SP, R12
	MOVQ BX, SP
	CALL AX
	MOVQ R12, SP
	MOVL AX, ret+48(FP)
	RET
