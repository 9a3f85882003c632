package fastcall

// Possible reports whether this processor is supported.
const Possible = true

//go:noescape
func call(stack, fn, handle uintptr, in, out *byte, n int64) int32
