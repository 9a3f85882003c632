package lanes

/*
#cgo CFLAGS: -I${SRCDIR}/shim -DLANES_HOST
#include "lanes.h"
*/
import "C"

import shared "github.com/cosimate/cosimate/bridge/internal/library"

// load loads a model's library, unless that is done already.
func load(path string) (*C.lanes_api_t, error) {
	s, err := shared.Symbol("lanes", path, "lanes_api")
	return (*C.lanes_api_t)(s), err
}
