package vectors

// Session is a run of a vector, for the statements of a block. The outputs are the model's. The RTL
// gets the same inputs, and a difference ends the run.
type Session[I, O comparable] struct {
	Params Params
	In     I // inputs of the coming cycle; they stay until they are changed
	Out    O // outputs of the last cycle

	player   *player
	watchers []func(I, O)
}

// Step plays one cycle with inputs In, and returns its outputs.
func (s *Session[I, O]) Step() (O, error) {
	err := s.player.inTime()
	return s.Out, err
}

// Wait plays so many cycles.
func (s *Session[I, O]) Wait(cycles int) error { return s.player.wait(cycles) }

// Until plays cycles until done returns true for the outputs of one. It is an error if that is
// later than the statement's bound. what says in words what is waited for.
func (s *Session[I, O]) Until(what string, done func(out O) bool) error {
	return s.player.until(what, func() bool { return done(s.Out) })
}

// Watch adds a function that is called after each cycle.
func (s *Session[I, O]) Watch(watcher func(in I, out O)) { s.watchers = append(s.watchers, watcher) }

// Cycle returns the number of the coming cycle. The vector's first is 0.
func (s *Session[I, O]) Cycle() uint64 { return s.player.cycle() }

// Within returns the number of the cycle before which the statement must be done.
func (s *Session[I, O]) Within() uint64 { return s.player.bound }

// lateError is the error of a statement that was not done in time.
type lateError struct {
	what   string
	within bool
}

func (e *lateError) Error() string { return e.what }

// WordError is an error about one of a statement's arguments.
type WordError struct {
	Arg int // from 0
	Err error
}

func (e *WordError) Error() string { return e.Err.Error() }

func (e *WordError) Unwrap() error { return e.Err }
