package live_test

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/cosimate/cosimate/sim/live"
)

// An App of eight lamps, of which each cycle switches on the next one: its type is in
// helpers_test.go. The page is open until the context ends, on Ctrl-C for example.
func ExampleServe() {
	ctx, stop := context.WithCancel(context.Background())
	err := live.Serve(ctx, &lamps{}, live.Options{
		Title: "Eight lamps",
		Ready: func(address string) {
			go func() {
				defer stop()
				response, err := http.Get(address)
				if err != nil {
					fmt.Println(err)
					return
				}
				defer response.Body.Close()
				page, _ := io.ReadAll(response.Body)
				fmt.Print(string(page))
			}()
		},
	})
	fmt.Println("ended:", err)
	// Output:
	// <!doctype html>
	// <html lang="en">
	// <meta charset="utf-8">
	// <meta name="viewport" content="width=device-width, initial-scale=1">
	// <title>Eight lamps</title>
	// <link rel="icon" href="data:,">
	// <link rel="stylesheet" href="base.css">
	// <h1>Lamps</h1>
	// ended: <nil>
}
