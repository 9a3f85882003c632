package paper

import (
	"bytes"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// Formats are the formats of [Plot].
var Formats = []string{"svg", "png", "pdf"}

// Plot returns an image in one of the [Formats] with the time of each position's list, for each way
// to make it: points over a logarithmic axis in microseconds. The notes of [Tables] explain them.
func Plot(f *Figures, reports []Report, format string) ([]byte, error) {
	if !slices.Contains(Formats, format) {
		return nil, fmt.Errorf("paper: no plot can be made as %q", format)
	}
	list, burst := reports[listClock], reports[burstClock]
	series := []struct {
		name  string
		value func(p *Position) float64 // microseconds
	}{
		{"published: generation", func(p *Position) float64 { return micros(p.Published.Generation) }},
		{"published: with transfer", func(p *Position) float64 { return micros(p.Published.Transfer) }},
		{"published: Faile in software", func(p *Position) float64 { return micros(p.Published.Software) }},
		{fmt.Sprintf("list, %.0f MHz", list.MHz), func(p *Position) float64 { return list.micros(p.List) }},
		{fmt.Sprintf("burst, %.0f MHz", burst.MHz), func(p *Position) float64 { return burst.micros(p.Burst) }},
		{"list with FIFO, at published reads", func(p *Position) float64 { return p.handed(1, list) }},
		{"list with stream", func(p *Position) float64 { return p.handed(2, list) }},
		{"Go, this machine", func(p *Position) float64 { return micros(p.Software) }},
	}
	p := plot.New()
	p.Title.Text = "Listing all moves of a position"
	p.X.Label.Text = "microseconds"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	names := make([]string, len(f.Positions))
	for i, s := range series {
		var points plotter.XYs
		for at := range f.Positions {
			row := len(f.Positions) - 1 - at // the first position on top
			names[row] = f.Positions[at].name()
			// The points of a position are a little apart, so that none covers another.
			points = append(points, plotter.XY{X: s.value(&f.Positions[at]), Y: float64(row) + 0.06*(float64(len(series)-1)/2-float64(i))})
		}
		scatter, err := plotter.NewScatter(points)
		if err != nil {
			return nil, fmt.Errorf("paper: %s: %w", s.name, err)
		}
		scatter.Color, scatter.Shape, scatter.Radius = plotutil.DarkColors[i%len(plotutil.DarkColors)], plotutil.DefaultGlyphShapes[i%len(plotutil.DefaultGlyphShapes)], vg.Points(3.5)
		p.Add(scatter)
		p.Legend.Add(s.name, scatter)
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.5, float64(len(names))-0.5
	p.Legend.Top, p.Legend.Left = true, false
	p.X.Min, p.X.Max = p.X.Min/1.5, p.X.Max*50 // room for the legend
	image, err := p.WriterTo(24*vg.Centimeter, 12*vg.Centimeter, format)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err = image.WriteTo(&b)
	return b.Bytes(), err
}
