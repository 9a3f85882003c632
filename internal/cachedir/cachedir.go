// Package cachedir says where Cosimate keeps what it has made: compiled models, and files of failed
// tests.
package cachedir

import (
	"os"
	"path/filepath"
)

// Env is the environment variable that moves the folder.
const Env = "COSIMATE_CACHE"

// Path returns the folder: $COSIMATE_CACHE, or if that is not set, the folder cosimate in the
// user's cache folder. The folder need not exist. It is an error if neither is known.
func Path() (string, error) {
	if dir := os.Getenv(Env); dir != "" {
		return dir, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(user, "cosimate"), nil
}
