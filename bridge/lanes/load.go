package lanes

/*
#cgo CFLAGS: -I${SRCDIR}/shim -DLANES_HOST
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>
#include "lanes.h"
*/
import "C"

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"unsafe"

	"github.com/cosimate/cosimate/bridge/internal/build"
)

// libraries holds the functions of loaded libraries by path. A library stays loaded until the
// process ends.
var libraries = struct {
	sync.Mutex
	api map[string]*C.lanes_api_t
}{api: map[string]*C.lanes_api_t{}}

// load loads a model's library, unless that is done already.
func load(path string) (*C.lanes_api_t, error) {
	libraries.Lock()
	defer libraries.Unlock()
	if api := libraries.api[path]; api != nil {
		return api, nil
	}
	// dlerror is per thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	handle := C.dlopen(cpath, C.RTLD_NOW|C.RTLD_LOCAL)
	if handle == nil {
		return nil, fmt.Errorf("lanes: cannot load the model: %s\nhint: %s", C.GoString(C.dlerror()), build.Unusable(filepath.Dir(path)))
	}
	name := C.CString("lanes_api")
	defer C.free(unsafe.Pointer(name))
	api := (*C.lanes_api_t)(C.dlsym(handle, name))
	if api == nil {
		return nil, fmt.Errorf("lanes: %s is not a model of this bridge: %s", path, C.GoString(C.dlerror()))
	}
	libraries.api[path] = api
	return api, nil
}
