package tb

// Event is something that happens once. Processes that wait for it go on when it happens; a process
// that waits later goes on at once. The zero value has not happened.
type Event struct {
	Name    string // for messages
	set     bool
	waiting []*Process
}

// Set lets the event happen. Processes that wait go on in the present cycle, in the order in which
// their waits began.
func (e *Event) Set() {
	e.set = true
	woken := e.waiting
	e.waiting = nil
	for _, p := range woken {
		p.scheduler.wake(p)
	}
}

// Clear undoes Set, so that the event can happen again. Processes that Set let go on still do.
func (e *Event) Clear() { e.set = false }

// IsSet reports whether the event has happened.
func (e *Event) IsSet() bool { return e.set }

// Await waits until the event has happened.
func (p *Process) Await(e *Event) {
	if !e.set {
		e.waiting = append(e.waiting, p)
		p.cancel = func() { e.waiting = without(e.waiting, p) }
		p.what = "event " + quote(e.Name)
		p.suspend(waitOther)
	}
}

// Queue passes values from process to process, first in, first out. It has no bound. The zero value
// is an empty queue.
type Queue[T any] struct {
	Name    string // for messages
	items   []T
	waiting []*Process
}

// Push appends a value. The process that has waited longest for one goes on in the present cycle.
func (q *Queue[T]) Push(v T) {
	q.items = append(q.items, v)
	q.wakeOne()
}

func (q *Queue[T]) wakeOne() {
	if len(q.items) > 0 && len(q.waiting) > 0 {
		p := q.waiting[0]
		q.waiting = q.waiting[1:]
		p.scheduler.wake(p)
	}
}

// Pop waits until there is a value, removes the oldest and returns it.
func (q *Queue[T]) Pop(p *Process) T {
	for len(q.items) == 0 {
		q.waiting = append(q.waiting, p)
		p.cancel = func() {
			q.waiting = without(q.waiting, p)
			q.wakeOne() // this process may have been woken for a value that it cannot take any more
		}
		p.what = "a value in queue " + quote(q.Name)
		p.suspend(waitOther)
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

// TryPop removes the oldest value and returns it. ok is false if there is none.
func (q *Queue[T]) TryPop() (v T, ok bool) {
	if len(q.items) == 0 {
		return v, false
	}
	v = q.items[0]
	q.items = q.items[1:]
	return v, true
}

// Len returns the number of values in the queue.
func (q *Queue[T]) Len() int { return len(q.items) }

func quote(name string) string {
	if name == "" {
		return "without a name"
	}
	return `"` + name + `"`
}
