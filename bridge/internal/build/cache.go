// Package build runs the simulators' compilers and keeps what they make in a
// content-addressed cache of folders. Its errors say what to do.
//
// An entry's key is a hash of everything that it depends on: sources, defines,
// parameters, tools, flags and the bridge's own sources. An entry is therefore never
// stale, never rebuilt without need, and never changed once it is there. Entries
// appear by an atomic rename. A lock for each key makes a second process wait for
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

	"github.com/cosimate/cosimate/internal/cachedir"
	"github.com/cosimate/cosimate/internal/modelpack"
)

// unusedFor is how long an entry lies unused before it is removed.
const unusedFor = 30 * 24 * time.Hour

// trimEvery is how often entries are looked through for those.
const trimEvery = 24 * time.Hour

// CompileEnv is the environment variable that says whether models are compiled here. If it is
// "never", an entry that is not in the cache is an error: on a node of a cluster there may be no
// compiler, and a thousand nodes must not compile the same. If it is "only", models are compiled,
// and not started: see [MayStart].
const CompileEnv = "COSIMATE_COMPILE"

// ErrBuilt is the error of the start of a model where models are compiled and nothing else.
var ErrBuilt = errors.New("the model is compiled, and is not started (" + CompileEnv + "=only)")

// MayStart returns ErrBuilt, or nil: each model asks before it starts.
func MayStart() error {
	if os.Getenv(CompileEnv) == "only" {
		return ErrBuilt
	}
	return nil
}

// Key collects what an entry depends on.
type Key struct {
	h     hash.Hash
	tools []Tool
}

// NewKey starts a key for one kind of thing, for example "icarus-model".
func NewKey(kind string) *Key {
	k := &Key{h: sha256.New()}
	return k.Add("kind", kind)
}

// Add adds a named value. Lengths are hashed too, so that no two lists of values
// give the same key.
func (k *Key) Add(name, value string) *Key {
	fmt.Fprintf(k.h, "%d:%d:%s%s", len(name), len(value), name, value)
	return k
}

// MadeBy notes the tools that make the entry. Their identities are to be added, too.
func (k *Key) MadeBy(tools ...Tool) *Key {
	k.tools = append(k.tools, tools...)
	return k
}

// identities returns those of the tools, by name.
func (k *Key) identities() map[string]string {
	tools := map[string]string{}
	for _, t := range k.tools {
		tools[t.name] = t.ID
	}
	return tools
}

func (k *Key) sum() string { return hex.EncodeToString(k.h.Sum(nil)[:16]) }

// cacheDir returns the folder of the cache of models.
func cacheDir() (string, error) {
	dir, err := cachedir.Path()
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fmt.Errorf("no folder for the build cache: %w; set %s to one", err, cachedir.Env)
	}
	// A folder of its own, for the user's folder may have other files.
	return filepath.Join(dir, "models"), nil
}

// unusual matches characters that only escaped names of Verilog have, such as a module's \a+b/c.
var unusual = regexp.MustCompile(`[^\w.$-]`)

// Entry returns the folder of the entry with the given key. If it is not there yet, fill makes it:
// fill gets an empty folder and puts the named files there, and others if it likes. Nothing remains
// if fill fails, if it leaves one of the named files missing or empty, or if ctx is cancelled. An
// entry is made again if one of its files has become shorter since. The name is for people: the
// folder's name begins with it, with _ in place of unusual characters.
func Entry(ctx context.Context, name string, key *Key, files []string, fill func(ctx context.Context, dir string) error) (entry string, err error) {
	root, err := cacheDir()
	if err != nil {
		return "", err
	}
	name = unusual.ReplaceAllString(name, "_") + "-"
	pack, err := packed()
	if err != nil {
		return "", err
	}
	if pack != nil {
		if dir := pack.Entry(name + key.sum()); whole(dir, files) == nil {
			return dir, nil
		}
		// What the pack has not is made by the tools that are here, and those may be others.
		for _, t := range key.tools {
			if t.Path == "" && os.Getenv(CompileEnv) != "never" {
				return "", t.missing
			}
			if t.here != t.ID {
				key.Add("made here by", t.here)
			}
		}
	}
	dir := filepath.Join(root, name+key.sum())
	if ctx.Value(filling{}) == nil { // or it is needed to make another only
		defer func() {
			if err == nil {
				err = modelpack.Note(modelpack.Use{Dir: dir, Tools: key.identities()})
			}
		}()
	}
	if used(dir) && intact(dir, files) {
		return dir, nil
	}
	if os.Getenv(CompileEnv) == "never" {
		return "", fmt.Errorf("%s is not in the cache, and nothing is to be compiled here (%s=never)", dir, CompileEnv)
	}
	if ctx.Value(filling{}) == nil {
		if err := modelpack.Note(modelpack.Use{Making: dir}); err != nil {
			return "", err
		}
		defer func() { err = errors.Join(err, modelpack.Note(modelpack.Use{Ended: dir})) }()
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
	// The name is fixed. This process has the lock, so whatever lies there was left by a process
	// that was killed.
	tmp := dir + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return "", cacheError(root, err)
	}
	defer os.RemoveAll(tmp)
	if err := os.Mkdir(tmp, 0o777); err != nil {
		return "", cacheError(root, err)
	}
	ctx = context.WithValue(ctx, filling{}, true)
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

// Has reports whether the cache has the entry with the given key, without making it.
func Has(name string, key *Key, files []string) bool {
	root, err := cacheDir()
	return err == nil && intact(filepath.Join(root, name+"-"+key.sum()), files)
}

// filling is in the context of a fill.
type filling struct{}

// packed returns the pack that is asked before the cache, or nil. A pack is asked in place of the
// cache that it was made from, and no other, such as a test has for itself.
func packed() (*modelpack.Pack, error) {
	p, err := modelpack.Open()
	if p == nil || err != nil {
		return nil, err
	}
	root, err := cacheDir()
	if err != nil || filepath.Dir(root) != p.Cache {
		return nil, err
	}
	return p, nil
}

// Home returns the folder in which an entry was made, which is another if it comes from a pack.
func Home(dir string) string {
	if p, err := packed(); err == nil && p != nil && dir == p.Entry(filepath.Base(dir)) {
		return filepath.Join(p.Root, filepath.Base(dir))
	}
	return dir
}

// Read reads a file of JSON of an entry.
func Read(dir, name string, v any) error {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w; remove the folder", dir, err)
	}
	return nil
}

// Write writes a file of JSON of an entry.
func Write(dir, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return WriteFile(dir, name, text)
}

// whole returns an error if a file of an entry is missing or empty.
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

// seal completes an entry by noting the sizes of its files. After a crash of the machine files may
// be shorter than they were. The named files and the sizes are synced to the disk, so they are not.
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

// intact reports whether all files of an entry have the sizes that they were made with.
func intact(dir string, files []string) bool {
	if whole(dir, files) != nil {
		return false
	}
	data, err := os.ReadFile(filepath.Join(dir, sizesFile))
	if os.IsNotExist(err) {
		return true // an entry of an older version of this package
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

// Unusable returns what to do if a simulator cannot load entries that are complete.
func Unusable(dirs ...string) string {
	for _, dir := range dirs {
		var disk unix.Statfs_t
		if unix.Statfs(dir, &disk) == nil && disk.Flags&unix.ST_NOEXEC != 0 {
			return fmt.Sprintf("no code can be loaded from the disk of %s, which is mounted noexec: set %s to a folder on another", dir, cachedir.Env)
		}
	}
	return "if a file was damaged, delete the folder that it is in, and it is made again: " + strings.Join(dirs, " or ")
}

// full reports whether the disk of a folder has less than 64 KiB of room.
func full(dir string) bool {
	var disk syscall.Statfs_t
	return syscall.Statfs(dir, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < 64<<10
}

// used reports whether an entry exists, and notes that it was used now.
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

// lock waits for the lock of an entry, or for ctx. It polls, because a system call that waits for a
// lock cannot be cancelled. A goroutine that was left in such a call might get the lock later, and
// make its file in a cache that its user has removed.
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

// entryName matches the names of this package's folders, complete or not. Nothing else is ever
// removed.
var entryName = regexp.MustCompile(`^.+-[0-9a-f]{32}(\.tmp)?$`)

// trimmed is a file of the cache that was written when entries were last looked through.
const trimmed = "trimmed"

// trim removes entries that were not used for a month, and after a day what builds left that were
// killed. What cannot be removed stays until the next time. Locks stay: another process may be
// about to take one. Entries are looked through once a day: there may be thousands, and go test,
// which notes each file that a test looks at, looks at each again when the test has ended.
func trim(root string) {
	mark := filepath.Join(root, trimmed)
	if info, err := os.Stat(mark); err == nil && time.Since(info.ModTime()) < trimEvery {
		return
	}
	// If this fails, the next build looks, too.
	os.WriteFile(mark, []byte(time.Now().Format(time.RFC3339)+"\n"), 0o666)
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

// cacheError adds what to do to the error of a cache that cannot be written.
func cacheError(root string, err error) error {
	var hint string
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), strings.Contains(err.Error(), "No space left on device"):
		hint = "the disk is full: free some space, or set " + cachedir.Env + " to a folder on another disk"
	case inCache(root, err) && (errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)):
		hint = "set " + cachedir.Env + " to a folder that you can write"
	default:
		return err
	}
	return fmt.Errorf("build cache %s: %w\nhint: %s", root, err, hint)
}

// inCache reports whether an error is about a file of the cache, or a folder above it.
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
