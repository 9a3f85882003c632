package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cosimate/cosimate/engine"
)

// Store keeps a file that is complete at any time: whenever the program or the system ends, the
// file has what was saved last or the time before. One program at a time can use it.
type Store struct {
	path string
	lock *os.File
}

// OpenStore takes the file for this program. The file need not exist yet; its folder must.
func OpenStore(path string) (*Store, error) {
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("the saved game cannot be kept: %w", err)
	}
	if taken, err := lockFile(lock); taken || err != nil {
		lock.Close()
		if taken {
			return nil, fmt.Errorf("%s is in use by another program", path)
		}
		return nil, fmt.Errorf("%s: %w", path+".lock", err)
	}
	return &Store{path, lock}, nil
}

// Load returns what was saved last, or nil if nothing was.
func (s *Store) Load() ([]byte, error) {
	data, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Game returns the game that was saved last, or a new one.
func (s *Store) Game() (*Game, error) {
	data, err := s.Load()
	switch {
	case err != nil:
		return nil, err
	case data == nil:
		return NewGame(engine.StartPosition()), nil
	}
	return ReadGame(data, s.path)
}

// Save replaces the file, so that it is on the disk when Save returns.
func (s *Store) Save(data []byte) (err error) {
	// Always of the same name: what a program that was killed has left is overwritten by the next.
	temp := s.path + ".new"
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(temp, s.path)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	return syncFolder(filepath.Dir(s.path)) // the new name is to be on the disk too
}

// Close lets other programs have the file.
func (s *Store) Close() error { return s.lock.Close() }
