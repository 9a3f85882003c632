package live

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"embed"
	"fmt"
	"html"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"time"
)

//go:embed page
var page embed.FS

// Shared are the files that each page has: base.css and live.js.
func Shared() fs.FS {
	sub, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // it is embedded
	}
	return sub
}

// file is a file of the page.
type file struct {
	data []byte
	kind string // of contents, as HTTP names them
}

// kinds are the contents that a page may have. The system's own table may know them otherwise.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".json": "application/json", ".woff2": "font/woff2",
}

// head is what the HTML of all pages begins with.
const head = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="icon" href="%s">
<link rel="stylesheet" href="base.css">
`

// gather reads all files of a page.
func gather(app App, title string) (map[string]file, error) {
	files := map[string]file{}
	for _, folder := range append([]fs.FS{Shared()}, app.Files()...) {
		err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if _, twice := files[name]; twice {
				return fmt.Errorf("live: two files of the page are named %s", name)
			}
			kind := kinds[path.Ext(name)]
			if kind == "" {
				if kind = mime.TypeByExtension(path.Ext(name)); kind == "" {
					return fmt.Errorf("live: the page's file %s is of no known kind", name)
				}
			}
			data, err := fs.ReadFile(folder, name)
			files[name] = file{data, kind}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	index, ok := files["index.html"]
	if !ok {
		return nil, fmt.Errorf("live: the page has no index.html")
	}
	icon := "icon.svg"
	if _, ok := files[icon]; !ok {
		icon = "data:,"
	}
	index.data = append(fmt.Appendf(nil, head, html.EscapeString(title), icon), index.data...)
	files["index.html"] = index
	return files, nil
}

// handler answers the requests.
type handler struct {
	token  string
	named  string // the host in Options.Address
	files  map[string]file
	runner *runner
}

// policy is the Content Security Policy: all of a page comes from this server and from files.
func policy(host string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self' ws://" + host +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer") // the address has the token in it
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cache-Control", "no-store")
	if !h.own(r) {
		http.Error(w, "This server answers under its own address only.", http.StatusMisdirectedRequest)
		return
	}
	head.Set("Content-Security-Policy", policy(r.Host))
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		http.Error(w, "Pages of other sites may not use this server.", http.StatusForbidden)
		return
	}
	if site := r.Header.Get("Sec-Fetch-Site"); (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		http.Error(w, "Pages of other sites may not use this server.", http.StatusForbidden)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		head.Set("Allow", "GET, HEAD")
		http.Error(w, "This server knows GET and HEAD only.", http.StatusMethodNotAllowed)
		return
	}
	token, name, folder := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if !h.secret(token) {
		http.Error(w, "Open the address that the command has printed. It has a secret in it, which this one lacks.", http.StatusForbidden)
		return
	}
	switch {
	case !folder:
		http.Redirect(w, r, "/"+h.token+"/", http.StatusPermanentRedirect)
		return
	case name == "ws":
		h.websocket(w, r)
		return
	case name == "":
		name = "index.html"
	}
	f, ok := h.files[name]
	if !ok {
		http.Error(w, "The page has no such file.", http.StatusNotFound)
		return
	}
	head.Set("Content-Type", f.kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
}

// secret reports whether a token is the server's, in a time that does not depend on how.
func (h *handler) secret(token string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(h.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// own reports whether a request names this server by an address of its own. A page of another site
// whose name was made to lead here still sends that name.
func (h *handler) own(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok {
		return false
	}
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = strings.Trim(r.Host, "[]"), "80"
	}
	if port != fmt.Sprint(local.Port) {
		return false
	}
	if ip := net.ParseIP(host); ip != nil {
		return ip.Equal(local.IP)
	}
	if local.IP.IsLoopback() {
		return host == "localhost"
	}
	// Other machines were asked in, and may use the name under which they know this one.
	self, err := os.Hostname()
	return host == h.named || err == nil && host == self
}
