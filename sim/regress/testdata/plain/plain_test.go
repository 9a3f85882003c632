package plain

import (
	"flag"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"
)

var (
	n     = flag.Int("n", 0, "the seed")
	sleep = flag.Duration("sleep", 0, "")
)

func TestOdd(t *testing.T) {
	time.Sleep(*sleep)
	if *n%100 == 17 {
		fmt.Println("some output without an end of the line, then")
		t.Errorf("%d is not wanted", *n)
	}
	t.Run("sub", func(t *testing.T) {
		if *n%150 == 18 {
			t.Fatalf("nor is %d", *n)
		}
	})
}

func TestEnds(t *testing.T) {
	switch *n {
	case 33:
		var p *int
		*p = 1
	case 44:
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case 55:
		select {}
	case 66:
		os.Exit(0)
	}
}
