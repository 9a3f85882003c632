package wave

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io/fs"
	"regexp"
	"strings"
	"sync"
)

//go:embed js wave.css
var embedded embed.FS

// Files are the viewer's files, for a page that is served: wave.css, and the modules in js, of
// which a page imports js/wave.js.
var Files fs.FS = embedded

// order is the modules, each after those that it imports.
var order = []string{"dom", "values", "trace", "view", "decode", "draw", "tree", "names", "rows", "detail", "bar", "input", "wave"}

var (
	imports = regexp.MustCompile(`(?m)^import (\{.*\}) from "\./(\w+)\.js";$`)
	exports = regexp.MustCompile(`(?m)^export (?:async )?(?:const|class|function) (\w+)`)
)

// Inline is what a page of one file needs to show waves. A page from disk cannot import modules: a
// browser refuses that. So they are joined to one script.
type Inline struct {
	Policy string        // a content security policy: the script runs and no other, and nothing is loaded
	Style  template.CSS  // for a style element
	Body   template.HTML // the viewer, with its data and its script: the last thing in the body
}

// InPage returns what a page needs to show the waves of a set. more is a script of the page's own,
// which runs when the waves are there, with the viewer in the variable waves. The result is also
// well-formed XML.
func InPage(s *Set, more string) Inline {
	script := `//<![CDATA[
` + code() + `
(async () => {
	const place = document.getElementById("waves"), waves = new Waves(place);
	place.waves = waves;
	waves.load(await unpack(document.getElementById("wave-data").textContent));
` + more + `	document.documentElement.dataset.waves = "ready";
})().catch(error => {
	document.getElementById("waves").textContent = "This browser cannot draw the waves; they are in the files listed below. " + error;
	throw error;
});
//]]>`
	return Inline{
		Policy: fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'", hash(script)),
		Style:  template.CSS(style()),
		Body: template.HTML(`<div id="waves"></div>
<script id="wave-data" type="application/octet-stream">` + base64.StdEncoding.EncodeToString(pack(s.Encode())) + `</script>
<script>` + script + `</script>`),
	}
}

func hash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// code is all modules as one script: each is a function that returns what it exports, as its own
// names are to stay its own.
var code = sync.OnceValue(func() string {
	var b strings.Builder
	for _, name := range order {
		text := read("js/" + name + ".js")
		var names []string
		for _, found := range exports.FindAllStringSubmatch(text, -1) {
			names = append(names, found[1])
		}
		text = imports.ReplaceAllString(text, "const $1 = ${2}_js;")
		text = strings.ReplaceAll(text, "\nexport ", "\n")
		fmt.Fprintf(&b, "const %s_js = (() => {\n%s\nreturn {%s};\n})();\n\n", name, text, strings.Join(names, ", "))
	}
	b.WriteString("const {unpack} = decode_js, {Waves} = wave_js;\n")
	return b.String()
})

var style = sync.OnceValue(func() string { return read("wave.css") })

func read(name string) string {
	text, err := embedded.ReadFile(name)
	if err != nil {
		panic(err) // cannot be: it is embedded
	}
	return string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}
