package regress

import (
	_ "embed"
	"html/template"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/cosimate/cosimate/sim/report"
)

var (
	//go:embed page.html
	pageText string
	page     = template.Must(template.New("regress").Parse(pageText))
)

// Page returns all that the run has found as one page, which loads nothing. Its links are for a
// page in folder dir, that of the run.
func (r *Result) Page(t *Times, dir string) (string, error) {
	type bucket struct {
		*Bucket
		Number  int
		Seeds   string
		Seed    uint64
		Cycle   uint64
		Command string
		Text    string
		Since   string
		Links   []template.URL
	}
	type job struct {
		JobSpent
		Failed int
	}
	type flaky struct {
		Flaky
		Test string
	}
	type ranked struct {
		Ranked
		Name string
	}
	v := struct {
		Result  *Result
		Title   string
		Style   template.CSS
		Wall    time.Duration
		Buckets []bucket
		Flaky   []flaky
		Ranked  []ranked
		Jobs    []job
	}{Result: r, Title: r.Title(), Style: template.CSS(report.Style()), Wall: t.Wall.Round(time.Second)}
	for i, b := range r.Buckets {
		v.Buckets = append(v.Buckets, bucket{b, i + 1, plural(b.Seeds, "seed"), b.Shortest.Seed, b.Shortest.Cycle, b.Shortest.Command,
			strings.TrimSpace(b.Message + "\n\n" + b.Shortest.Text), b.since(r), linksIn(dir, b.Files)})
	}
	for _, f := range r.Flaky {
		v.Flaky = append(v.Flaky, flaky{f, strings.TrimSpace(r.Jobs[f.Job].Name + " " + f.Test)})
	}
	for _, k := range r.Ranked {
		v.Ranked = append(v.Ranked, ranked{k, r.Jobs[k.Job].Name})
	}
	failed := map[string]int{}
	for _, j := range r.Jobs {
		failed[j.Name] = j.Failed
	}
	for _, j := range t.slowest(len(t.Jobs)) {
		j.Total, j.Slowest = j.Total.Round(time.Millisecond), j.Slowest.Round(time.Microsecond)
		v.Jobs = append(v.Jobs, job{j, failed[j.Name]})
	}
	var b strings.Builder
	err := page.Execute(&b, v)
	return b.String(), err
}

// linksIn returns the files of a failure, seen from the page's folder, the report first.
func linksIn(dir, files string) (links []template.URL) {
	if files == "" {
		return nil
	}
	var later []template.URL
	filepath.WalkDir(filepath.Join(dir, files), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "again" {
			return nil
		}
		if rel, err := filepath.Rel(dir, path); err == nil {
			link := template.URL((&url.URL{Path: filepath.ToSlash(rel)}).EscapedPath())
			if e.Name() == "report.html" {
				links = append(links, link)
			} else {
				later = append(later, link)
			}
		}
		return nil
	})
	return append(links, later...)
}
