// Package pieces has the drawings of the chess pieces, for the pages that show a board.
package pieces

import "embed"

// Files has pieces.js, whose draw makes an SVG of a piece.
//
//go:embed pieces.js
var Files embed.FS
