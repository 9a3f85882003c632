package verilator

/*
#cgo CFLAGS: -I${SRCDIR}/shim
#include "api.h"
*/
import "C"

import "github.com/cosimate/cosimate/bridge/internal/library"

// load loads a model's library, unless that is done already.
func load(path string) (*C.cosim_api_t, error) {
	s, err := library.Symbol("verilator", path, "cosim_api")
	return (*C.cosim_api_t)(s), err
}
