package tb

// Event is something that happens once: who waits for it goes on when it has, and who
// comes later does not wait at all. The zero value has not happened.
type Event struct {
	Name    string // for messages
	set     bool
	waiting []*Process
}

// Set lets it happen. Those that wait are woken in the present cycle, in the order in
// which they came.
func (e *Event) Set() {
	e.set = true
	woken := e.waiting
	e.waiting = nil
	for _, p := range woken {
		p.scheduler.wake(p)
	}
}

// Clear undoes Set, for another round. Those that Set woke stay awake.
func (e *Event) Clear() { e.set = false }

// IsSet tells whether it has happened.
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

// Queue hands values from process to process, first in, first out. It has no bound. The
// zero value is empty.
type Queue[T any] struct {
	Name    string // for messages
	items   []T
	waiting []*Process
}

// Push appends a value, and wakes the first that waits for one, in the present cycle.
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

// Pop waits until there is a value and takes the oldest.
func (q *Queue[T]) Pop(p *Process) T {
	for len(q.items) == 0 {
		q.waiting = append(q.waiting, p)
		p.cancel = func() {
			q.waiting = without(q.waiting, p)
			q.wakeOne() // if this one was woken for a value and did not live to take it
		}
		p.what = "a value in queue " + quote(q.Name)
		p.suspend(waitOther)
	}
	v := q.items[0]
	q.items = q.items[1:]
	return v
}

// TryPop takes the oldest value, if there is one.
func (q *Queue[T]) TryPop() (v T, ok bool) {
	if len(q.items) == 0 {
		return v, false
	}
	v = q.items[0]
	q.items = q.items[1:]
	return v, true
}

// Len is the number of values in the queue.
func (q *Queue[T]) Len() int { return len(q.items) }

func quote(name string) string {
	if name == "" {
		return "without a name"
	}
	return `"` + name + `"`
}
