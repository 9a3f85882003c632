package uci

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosimate/cosimate/engine/search"
)

func (s *server) identify() {
	s.out.printf("id name %s\nid author the Cosimate authors", cmp.Or(s.c.Name, "Cosimate"))
	s.out.printf("option name Hash type spin default %d min 1 max %d", defaultHash, maxHash)
	s.out.printf("option name Clear Hash type button")
	s.out.printf("option name Threads type spin default 1 min 1 max %d", maxThreads)
	s.out.printf("option name MultiPV type spin default 1 min 1 max %d", maxMultiPV)
	s.out.printf("option name Ponder type check default false")
	s.out.printf("option name UCI_LimitStrength type check default false")
	s.out.printf("option name UCI_Elo type spin default %d min %d max %d", search.MaxElo, search.MinElo, search.MaxElo)
	names := ""
	for _, n := range s.generators() {
		names += " var " + n
	}
	s.out.printf("option name Generator type combo default %s%s", cmp.Or(s.c.Generator, software), names)
	s.out.printf("option name Features type string default %s", s.features)
	s.out.printf("uciok")
}

func (s *server) generators() []string {
	names := []string{software}
	for n := range s.c.Generators {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// setOption is "setoption name NAME [value VALUE]". Names and values are not case sensitive.
func (s *server) setOption(words []string) error {
	if len(words) == 0 || words[0] != "name" {
		return errors.New("expected: setoption name NAME value VALUE")
	}
	at := slices.Index(words, "value")
	if at < 0 {
		at = len(words)
	}
	name := strings.Join(words[1:at], " ")
	value := strings.Join(words[min(at+1, len(words)):], " ")
	number := func(to *int, least, most int) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%s is a number from %d to %d, not %q", name, least, most, value)
		}
		*to = n
		return nil
	}
	s.drop()
	switch strings.ToLower(name) {
	case "hash":
		return number(&s.hash, 1, maxHash)
	case "clear hash":
		return nil // the next search has a new table
	case "threads":
		return number(&s.threads, 1, maxThreads)
	case "multipv":
		return number(&s.multiPV, 1, maxMultiPV)
	case "uci_elo":
		return number(&s.elo, search.MinElo, search.MaxElo)
	case "uci_limitstrength":
		b, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("%s is true or false, not %q", name, value)
		}
		s.limitStrength = b
		return nil
	case "ponder", "uci_analysemode", "uci_opponent", "uci_showwdl":
		return nil // nothing depends on it
	case "generator":
		for _, n := range s.generators() {
			if strings.EqualFold(n, value) {
				s.generator = n
				return nil
			}
		}
		return fmt.Errorf("there is no generator %q: there are %s", value, strings.Join(s.generators(), ", "))
	case "features":
		f, err := search.ParseFeatures(value)
		if err == nil {
			s.features = f
		}
		return err
	}
	return fmt.Errorf("there is no option %q", name)
}
