package vectors_test

import (
	"testing"

	"github.com/cosimate/cosimate/vectors"
	"github.com/cosimate/cosimate/vectors/designs"
)

// All vectors that are shipped.
func TestVectors(t *testing.T) { designs.All().Test(t, vectors.Options{}, ".") }
