// Package library loads compiled models, which are shared libraries, into this process.
package library

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>
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

// loaded holds what loaded libraries export, by path. Instances of one model share its code. A
// library stays loaded until the process ends.
var loaded = struct {
	sync.Mutex
	symbols map[string]unsafe.Pointer
}{symbols: map[string]unsafe.Pointer{}}

// Symbol returns what a library exports under a name, which is always the same for a library. It
// loads the library, unless that is done already. Errors begin with the simulator.
func Symbol(simulator, path, name string) (unsafe.Pointer, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if s := loaded.symbols[path]; s != nil {
		return s, nil
	}
	// dlerror is per thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpath := C.CString(path)
	defer C.free(unsafe.Pointer(cpath))
	handle := C.dlopen(cpath, C.RTLD_NOW|C.RTLD_LOCAL)
	if handle == nil {
		return nil, fmt.Errorf("%s: cannot load the model: %s\nhint: %s", simulator, C.GoString(C.dlerror()), build.Unusable(filepath.Dir(path)))
	}
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	s := C.dlsym(handle, cname)
	if s == nil {
		return nil, fmt.Errorf("%s: %s is not a model of this bridge: %s", simulator, path, C.GoString(C.dlerror()))
	}
	loaded.symbols[path] = s
	return s, nil
}
