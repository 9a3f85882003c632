// Package build keeps what the simulators' compilers make: a content-addressed
// cache of folders, and the running of tools with errors that say what to do.
//
// An entry's key is a hash of everything that it depends on: sources, defines,
// parameters, tools, flags and the bridge's own sources. An entry is therefore never
// stale, never rebuilt without need, and never changed once it is there. Entries
// appear by an atomic rename; a lock for each key makes a second process wait for
// the first instead of building the same thing.
package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// CacheEnv is the environment variable that moves the cache.
const CacheEnv = "COSIMATE_CACHE"

// unusedFor is how long an entry lies unused before it is removed.
const unusedFor = 30 * 24 * time.Hour

// Key collects what an entry depends on.
type Key struct{ h hash.Hash }

// NewKey starts a key for one kind of thing, for example "icarus-model".
func NewKey(kind string) *Key {
	k := &Key{sha256.New()}
	return k.Add("kind", kind)
}

// Add adds a named value. Lengths are hashed too, so that no two lists of values
// give the same key.
func (k *Key) Add(name, value string) *Key {
	fmt.Fprintf(k.h, "%d:%d:%s%s", len(name), len(value), name, value)
	return k
}

func (k *Key) sum() string { return hex.EncodeToString(k.h.Sum(nil)[:16]) }

// CacheDir is the folder of the cache: models in $COSIMATE_CACHE, or in the folder
// cosimate in the user's cache folder.
func CacheDir() (string, error) {
	dir := os.Getenv(CacheEnv)
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("no folder for the build cache: %w; set %s to one", err, CacheEnv)
		}
		dir = filepath.Join(user, "cosimate")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("no folder for the build cache: %w; set %s to one", err, CacheEnv)
	}
	// A folder of its own, whatever else lies where the user points.
	return filepath.Join(dir, "models"), nil
}

// unusual matches what an escaped name of Verilog can have, and no other: \a+b/c is a module's.
var unusual = regexp.MustCompile(`[^\w.$-]`)

// Entry returns the folder of the entry with the given key, and makes it with fill if it is not
// there yet. fill gets an empty folder and puts the named files there (others too); if it fails, or
// leaves one of them missing or empty, or ctx is cancelled, nothing remains. An entry of which a
// file was cut short since is made again. The name is for people: it begins the folder's name, with
// _ for characters that file names have trouble with.
func Entry(ctx context.Context, name string, key *Key, files []string, fill func(ctx context.Context, dir string) error) (string, error) {
	root, err := CacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, unusual.ReplaceAllString(name, "_")+"-"+key.sum())
	if used(dir) && intact(dir, files) {
		return dir, nil
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return "", cacheError(root, err)
	}
	unlock, err := lock(ctx, dir+".lock")
	if err != nil {
		return "", cacheError(root, err)
	}
	defer unlock()
	if used(dir) {
		if intact(dir, files) { // another process made it while this one waited
			return dir, nil
		}
		if err := os.RemoveAll(dir); err != nil {
			return "", cacheError(root, err)
		}
	}
	// The name is fixed: holding the lock, what lies there is debris of a
	// process that was killed.
	tmp := dir + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return "", cacheError(root, err)
	}
	defer os.RemoveAll(tmp)
	if err := os.Mkdir(tmp, 0o777); err != nil {
		return "", cacheError(root, err)
	}
	err = fill(ctx, tmp)
	if err == nil {
		err = whole(tmp, files)
	}
	if err == nil {
		err = seal(tmp, files)
	}
	if err != nil {
		if ctx.Err() == nil && full(root) {
			// Not every program notices: Verilator 5.006 leaves short files behind
			// and reports success.
			err = fmt.Errorf("%w: %w", syscall.ENOSPC, err)
		}
		return "", cacheError(root, err)
	}
	if err := os.Rename(tmp, dir); err != nil {
		return "", cacheError(root, err)
	}
	trim(root)
	return dir, nil
}

// whole tells whether the files of an entry are there and not empty.
func whole(dir string, files []string) error {
	for _, name := range files {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return fmt.Errorf("the tools report success but have not made %s: %w", name, err)
		}
		if info.Size() == 0 {
			return fmt.Errorf("the tools report success but have made an empty %s", name)
		}
	}
	return nil
}

// sizesFile is the last file of an entry: the sizes of the others, in bytes, by name.
const sizesFile = "sizes.json"

// seal completes an entry. What it has now is what a user finds: after a crash of the machine a
// file may be shorter, but for those that are written to the disk here.
func seal(dir string, files []string) error {
	sizes := map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		sizes[name] = info.Size()
		return err
	})
	if err != nil {
		return err
	}
	data, err := json.Marshal(sizes)
	if err != nil {
		return err
	}
	if err := WriteFile(dir, sizesFile, data); err != nil {
		return err
	}
	for _, name := range append(slices.Clone(files), sizesFile) {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// intact tells whether all files of an entry have the sizes that they were made with.
func intact(dir string, files []string) bool {
	if whole(dir, files) != nil {
		return false
	}
	data, err := os.ReadFile(filepath.Join(dir, sizesFile))
	if os.IsNotExist(err) {
		return true // it was made before there were such files
	}
	var sizes map[string]int64
	if err != nil || json.Unmarshal(data, &sizes) != nil {
		return false
	}
	for name, size := range sizes {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() != size {
			return false
		}
	}
	return true
}

// Unusable says what to do about entries that are whole and that a simulator cannot load.
func Unusable(dirs ...string) string {
	for _, dir := range dirs {
		var disk unix.Statfs_t
		if unix.Statfs(dir, &disk) == nil && disk.Flags&unix.ST_NOEXEC != 0 {
			return fmt.Sprintf("no code can be loaded from the disk of %s, which is mounted noexec: set %s to a folder on another", dir, CacheEnv)
		}
	}
	return "if a file was damaged, delete the folder that it is in, and it is made again: " + strings.Join(dirs, " or ")
}

// full tells whether a disk has no room left to speak of.
func full(dir string) bool {
	var disk syscall.Statfs_t
	return syscall.Statfs(dir, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < 64<<10
}

// used tells whether an entry exists, and notes that it was used now.
func used(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	if time.Since(info.ModTime()) > 24*time.Hour {
		now := time.Now()
		os.Chtimes(dir, now, now) // if this fails the entry is only removed sooner
	}
	return true
}

// lock waits for the lock of an entry, or for ctx. It asks again and again: what waits for a lock
// cannot be called off, and a goroutine left to it would make its file in a cache that its user has
// removed.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err {
		case nil:
			return func() { f.Close() }, nil
		case unix.EWOULDBLOCK, unix.EINTR:
		default:
			f.Close()
			return nil, &fs.PathError{Op: "flock", Path: path, Err: err}
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// entryName matches what this package calls its folders, built or half built. Nothing
// else is ever removed.
var entryName = regexp.MustCompile(`^.+-[0-9a-f]{32}(\.tmp)?$`)

// trim removes entries that nobody has used for a month, and what builds that were killed have left
// for a day. What cannot be removed stays for the next time. Locks stay: another process may be
// about to take one.
func trim(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		age := unusedFor
		if strings.HasSuffix(e.Name(), ".tmp") {
			age = 24 * time.Hour
		}
		if err == nil && time.Since(info.ModTime()) > age && e.IsDir() && entryName.MatchString(e.Name()) {
			os.RemoveAll(filepath.Join(root, e.Name()))
		}
	}
}

// cacheError says what to do about a cache that cannot be written.
func cacheError(root string, err error) error {
	var hint string
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), strings.Contains(err.Error(), "No space left on device"):
		hint = "the disk is full: free some space, or set " + CacheEnv + " to a folder on another disk"
	case inCache(root, err) && (errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)):
		hint = "set " + CacheEnv + " to a folder that you can write"
	default:
		return err
	}
	return fmt.Errorf("build cache %s: %w\nhint: %s", root, err, hint)
}

// inCache tells whether an error is of a file of the cache, or of a folder above it.
func inCache(root string, err error) bool {
	within := func(dir, path string) bool {
		return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return within(root, e.Path) || within(e.Path, root)
	}
	e, ok := errors.AsType[*os.LinkError](err)
	return ok && within(root, e.Old)
}

// WriteFile writes a file of an entry and makes the folders above it.
func WriteFile(dir, name string, data []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}
