package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"time"
)

// NewToken returns a new secret for [Options.Token].
func NewToken() string { return rand.Text() }

// plainToken is what a token may be made of, so that it can stand in an address.
var plainToken = regexp.MustCompile(`^[A-Za-z0-9_-]{16,}$`)

// Serve serves an App until ctx ends. Its error is then nil. Any other error is one of listening,
// of the App's files, or of saving.
func Serve(ctx context.Context, app App, o Options) error {
	if o.Token == "" {
		o.Token = NewToken()
	}
	if !plainToken.MatchString(o.Token) {
		return errors.New("live: the token must be 16 or more letters, digits, - and _")
	}
	if o.Title == "" {
		o.Title = "Cosimate"
	}
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	if o.Speeds == nil {
		o.Speeds = defaultSpeeds
	}
	if o.Units == nil {
		o.Units = defaultUnits
	}
	files, err := gather(app, o.Title)
	if err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(o.Address)
	if err != nil || host == "" {
		return fmt.Errorf("live: the address %q is not HOST:PORT, such as 127.0.0.1:8000", o.Address)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.Address)
	if err != nil {
		return fmt.Errorf("live: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newRunner(app, o)
	server := &http.Server{
		Handler:           &handler{token: o.Token, named: host, files: files, runner: r},
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	if o.Ready != nil {
		o.Ready(fmt.Sprintf("http://%s/%s/", reachable(listener.Addr()), o.Token))
	}
	ran := make(chan error, 1)
	go func() { ran <- r.run(ctx) }()
	select {
	case err = <-ran:
		cancel()
	case err = <-served:
		cancel()
		err = errors.Join(err, <-ran)
	}
	// WebSockets are the runner's and have ended with ctx; Close ends the rest.
	server.Close()
	r.viewers.close()
	return err
}

// reachable returns an address that can be opened: for one of all interfaces, this machine's.
func reachable(a net.Addr) string {
	if t, ok := a.(*net.TCPAddr); ok && t.IP.IsUnspecified() {
		return fmt.Sprintf("127.0.0.1:%d", t.Port)
	}
	return a.String()
}
