// Package live serves a page on which a person sees a simulation and drives it while it runs.
// It knows nothing of any design. What is on the page, and what is simulated, is an [App]:
//
//	err := live.Serve(ctx, app, live.Options{Title: "my block"})
//
// prints the page's address and serves until ctx ends. Package sim/live/ports is the App for any
// design: its ports as switches, fields and lamps.
//
// # The runner
//
// One goroutine, the runner, owns the App and with it the simulator: all methods of the App are
// called by it, one at a time, so that an App needs no locks. It calls [App.Step] while the
// simulation runs, as often as the speed asks for, and in pieces of a few milliseconds.
// [App.Handle] is called in between with what people do on the page, and [App.State] when a viewer
// can take news.
//
// # Viewers
//
// Everybody who has the address sees the same. One viewer at a time has the hand: only that
// one's messages run, pause and step the simulation and reach [App.Handle], except for messages
// whose name begins with "view.", which only change what a viewer sees. Anybody can take the hand.
//
// A viewer acknowledges each state, and gets the next one only then. One that is slow sees fewer
// states, always the newest, and costs the runner nothing.
//
// # Messages
//
// A page imports live.js: new Link() is its connection, which comes back by itself after the server
// was away, and controls() puts the controls there that all pages have. From page to server a
// message is {"id": 1, "do": "name", "args": any}; each is answered by {"id": 1, "answer": any} or
// {"id": 1, "error": "in words"}. The server itself knows run, pause, step {"n", "unit"}, speed
// {"cycles"}, take, give and seen; all others go to the App. In between it sends {"state": what
// App.State returned, "live": [Status]}.
//
// # Who gets in
//
// The server listens on 127.0.0.1 unless asked otherwise. The address has a secret in it, and
// requests without it get nothing. Host and Origin must be the server's own, so that no page of
// another site can reach it through the user's browser, whatever name it gives to this address.
// Pages may load nothing from elsewhere, and have no script or style in their HTML (a Content
// Security Policy). Files are looked up in a table that is made when the server starts: no
// request reaches the file system.
package live
