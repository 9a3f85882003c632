package browser

import (
	"bytes"
	"context"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

var pictures = flag.Bool("browser.pictures", false, "write the pictures of the documents anew")

// alike is by how much the brightness of parts of two pictures differs at most, of 255 on average,
// if they show the same with other numbers in it.
const alike = 4

// Picture compares what the tab shows with a picture of the documents, which must be of the same
// size and much the same. With the flag -browser.pictures it writes the picture.
func Picture(t testing.TB, ctx context.Context, path string) {
	t.Helper()
	if *pictures {
		Screenshot(t, ctx, path)
		return
	}
	now, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatalf("a screenshot: %v", err)
	}
	then, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const again = "look at it, and if it is meant, write it anew with -browser.pictures"
	was, is := parts(t, then), parts(t, now)
	if len(was) != len(is) || len(was[0]) != len(is[0]) {
		t.Errorf("%s is not as large as the page now: %s", path, again)
		return
	}
	sum := 0.0
	for y := range was {
		for x := range was[y] {
			sum += max(was[y][x]-is[y][x], is[y][x]-was[y][x])
		}
	}
	if mean := sum / float64(len(was)*len(was[0])); mean > alike {
		t.Errorf("%s does not show what the page shows now: by %.1f of 255, and %d are allowed: %s", path, mean, alike, again)
	}
}

// parts returns the brightness of a picture's parts, of 8 by 8 pixels, by rows.
func parts(t testing.TB, picture []byte) (rows [][]float64) {
	t.Helper()
	const side = 8
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	size := img.Bounds()
	for y := size.Min.Y; y < size.Max.Y; y += side {
		var row []float64
		for x := size.Min.X; x < size.Max.X; x += side {
			sum, n := 0, 0
			part := image.Rect(x, y, x+side, y+side).Intersect(size)
			for py := part.Min.Y; py < part.Max.Y; py++ {
				for px := part.Min.X; px < part.Max.X; px++ {
					sum += int(color.GrayModel.Convert(img.At(px, py)).(color.Gray).Y)
					n++
				}
			}
			row = append(row, float64(sum)/float64(n))
		}
		rows = append(rows, row)
	}
	return rows
}
