package live_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cosimate/cosimate/sim/live"
	"github.com/cosimate/cosimate/sim/live/livetest"
)

// ask sends a request just as it stands and returns the response.
func ask(t *testing.T, address, request string) *http.Response {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "\n", "\r\n")+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: strings.Fields(request)[0]})
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	response.Body = io.NopCloser(strings.NewReader(string(body)))
	return response
}

func TestWhoGetsIn(t *testing.T) {
	app := &lamps{}
	address, _ := livetest.Serve(t, app, live.Options{})
	u, _ := url.Parse(address)
	port, path := u.Port(), u.Path
	if u.Hostname() != "127.0.0.1" || len(path) < 18 {
		t.Fatalf("the address is %s", address)
	}
	const upgrade = "\nConnection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
	own := "\nOrigin: http://127.0.0.1:" + port
	for _, test := range []struct {
		name, request string
		want          int
	}{
		{"the page", "GET " + path + " HTTP/1.1\nHost: 127.0.0.1:" + port, 200},
		{"a file", "GET " + path + "live.js HTTP/1.1\nHost: 127.0.0.1:" + port, 200},
		{"as localhost", "GET " + path + " HTTP/1.1\nHost: localhost:" + port, 200},
		{"HEAD", "HEAD " + path + " HTTP/1.1\nHost: 127.0.0.1:" + port, 200},
		{"its own script", "GET " + path + "live.js HTTP/1.1\nSec-Fetch-Site: same-origin\nHost: 127.0.0.1:" + port + own, 200},
		{"its WebSocket", "GET " + path + "ws HTTP/1.1\nHost: 127.0.0.1:" + port + own + upgrade, 101},

		{"no token", "GET / HTTP/1.1\nHost: 127.0.0.1:" + port, 403},
		{"a wrong token", "GET /" + strings.Repeat("A", 26) + "/ HTTP/1.1\nHost: 127.0.0.1:" + port, 403},
		{"the beginning of the token", "GET " + path[:10] + "/ HTTP/1.1\nHost: 127.0.0.1:" + port, 403},
		{"WebSocket without token", "GET /ws HTTP/1.1\nHost: 127.0.0.1:" + port + own + upgrade, 403},

		{"WebSocket of another site", "GET " + path + "ws HTTP/1.1\nHost: 127.0.0.1:" + port + "\nOrigin: http://evil.example" + upgrade, 403},
		{"WebSocket of another port", "GET " + path + "ws HTTP/1.1\nHost: 127.0.0.1:" + port + "\nOrigin: http://127.0.0.1:1" + upgrade, 403},
		{"WebSocket of this port by https", "GET " + path + "ws HTTP/1.1\nHost: 127.0.0.1:" + port + "\nOrigin: https://127.0.0.1:" + port + upgrade, 403},
		{"WebSocket of a file", "GET " + path + "ws HTTP/1.1\nHost: 127.0.0.1:" + port + "\nOrigin: null" + upgrade, 403},
		{"WebSocket without origin", "GET " + path + "ws HTTP/1.1\nHost: 127.0.0.1:" + port + upgrade, 403},
		{"fetch of another site", "GET " + path + " HTTP/1.1\nOrigin: http://evil.example\nHost: 127.0.0.1:" + port, 403},
		{"script in another site's page", "GET " + path + "live.js HTTP/1.1\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: no-cors\nHost: 127.0.0.1:" + port, 403},
		{"script in a page of another port", "GET " + path + "live.js HTTP/1.1\nSec-Fetch-Site: same-site\nSec-Fetch-Mode: no-cors\nHost: 127.0.0.1:" + port, 403},

		{"a name that was made to lead here", "GET " + path + " HTTP/1.1\nHost: evil.example:" + port, 421},
		{"its WebSocket, origin to match", "GET " + path + "ws HTTP/1.1\nHost: evil.example:" + port + "\nOrigin: http://evil.example:" + port + upgrade, 421},
		{"a name that begins as an address", "GET " + path + " HTTP/1.1\nHost: 127.0.0.1.evil.example:" + port, 421},
		{"another port", "GET " + path + " HTTP/1.1\nHost: 127.0.0.1:1", 421},
		{"no port", "GET " + path + " HTTP/1.1\nHost: 127.0.0.1", 421},
		{"another address of this machine", "GET " + path + " HTTP/1.1\nHost: 127.0.0.2:" + port, 421},
		{"no host", "GET " + path + " HTTP/1.0", 421},

		{"POST", "POST " + path + " HTTP/1.1\nContent-Length: 0\nHost: 127.0.0.1:" + port, 405},
		{"a file that is not the page's", "GET " + path + "server.go HTTP/1.1\nHost: 127.0.0.1:" + port, 404},
		{"a folder above", "GET " + path + "../../etc/passwd HTTP/1.1\nHost: 127.0.0.1:" + port, 404},
		{"a folder above, encoded", "GET " + path + "%2e%2e/%2e%2e/etc/passwd HTTP/1.1\nHost: 127.0.0.1:" + port, 404},
		{"an absolute path", "GET " + path + "/etc/passwd HTTP/1.1\nHost: 127.0.0.1:" + port, 404},
		{"a folder", "GET " + path + "page/ HTTP/1.1\nHost: 127.0.0.1:" + port, 404},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := ask(t, address, test.request)
			if r.StatusCode != test.want {
				t.Errorf("status %d instead of %d", r.StatusCode, test.want)
			}
			if body, _ := io.ReadAll(r.Body); test.want >= 400 && (len(body) > 200 || strings.Contains(string(body), strings.Trim(path, "/"))) {
				t.Errorf("it answers %s", body)
			}
		})
	}
}

// A page may load nothing from elsewhere, and has no script in its HTML.
func TestHeaders(t *testing.T) {
	address, _ := livetest.Serve(t, &lamps{}, live.Options{})
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	csp := response.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
		if !strings.Contains(csp, part) {
			t.Errorf("the policy lacks %s: %s", part, csp)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
		t.Errorf("the policy is %s", csp)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin", "Content-Type": "text/html; charset=utf-8",
	} {
		if got := response.Header.Get(name); got != want {
			t.Errorf("%s is %q instead of %q", name, got, want)
		}
	}
}

// Another machine gets in only if it was asked to.
func TestOtherInterfaces(t *testing.T) {
	address, _ := livetest.Serve(t, &lamps{}, live.Options{})
	u, _ := url.Parse(address)
	others, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range others {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			if conn, err := net.Dial("tcp", net.JoinHostPort(ip.IP.String(), u.Port())); err == nil {
				conn.Close()
				t.Errorf("it listens on %s, too", ip.IP)
			}
		}
	}
	wide, _ := livetest.Serve(t, &lamps{}, live.Options{Address: "0.0.0.0:0"})
	if u, _ = url.Parse(wide); u.Hostname() != "127.0.0.1" {
		t.Errorf("the address is %s", wide)
	}
	response, err := http.Get(wide)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 200 {
		t.Errorf("status %d", response.StatusCode)
	}
	if r := ask(t, wide, fmt.Sprintf("GET %s HTTP/1.1\nHost: evil.example:%s", u.Path, u.Port())); r.StatusCode != 421 {
		t.Errorf("status %d for a name that was made to lead here", r.StatusCode)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []live.Options{{Token: "short"}, {Token: "../../../../../../etc"}, {Address: "here"}, {Address: ":80"}, {Address: "256.0.0.1:80"}} {
		if err := live.Serve(context.Background(), &lamps{}, o); err == nil {
			t.Errorf("%+v is served", o)
		}
	}
}
