//go:build !amd64

package fastcall

// Possible reports whether this processor is supported.
const Possible = false

func call(stack, fn, handle uintptr, in, out *byte, n int64) int32 {
	panic("fastcall: not on this processor")
}
