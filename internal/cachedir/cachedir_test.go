package cachedir_test

import (
	"path/filepath"
	"testing"

	"github.com/cosimate/cosimate/internal/cachedir"
)

func TestPath(t *testing.T) {
	user := t.TempDir()
	for _, test := range []struct{ env, xdg, home, want string }{
		{"here", user, user, "here"},
		{"", user, "", filepath.Join(user, "cosimate")},
		{"", "", user, filepath.Join(user, ".cache", "cosimate")},
		{"", "", "", ""},
	} {
		t.Setenv(cachedir.Env, test.env)
		t.Setenv("XDG_CACHE_HOME", test.xdg)
		t.Setenv("HOME", test.home)
		got, err := cachedir.Path()
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%+v: Path gives %q, %v", test, got, err)
		}
	}
}
