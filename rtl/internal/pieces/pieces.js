// The pieces, drawn for this page on a field of 100 by 100. A piece is body, lines on it, and the
// foot that all share.

const SVG = "http://www.w3.org/2000/svg";

const foot = "M29 74H71C73 78 78 79 79 84V89A3 3 0 0 1 76 92H24A3 3 0 0 1 21 89V84C22 79 27 78 29 74Z";

// Paths of the body, and of the lines on it.
const shapes = {
  p: [["M50 19A14.5 14.5 0 0 1 58 45.5H64V52H58.5C59 63 66 68 68 74H32C34 68 41 63 41.5 52H36V45.5H42A14.5 14.5 0 0 1 50 19Z"], ["M41.5 52H58.5"]],
  r: [["M27 18H38V26H44.5V18H55.5V26H62V18H73V36L65 44L68 74H32L35 44L27 36Z"], ["M34 44H66"]],
  n: [["M31 74C31 62 45 56 47 45C43 49 37 50 33 54C29 58 22 56 21 50C20 45 28 38 31 31C32 25 35 21 39 18L41 8L50 16C66 19 75 34 74 54C73.500 63 71 69 70 74Z"],
    ["M54 25C63 31 67 43 65.500 60", "M38 31.500H38.010"]],
  b: [["M50 8A5 5 0 0 1 53.500 16.500C63 24 68 33 67 42C66 49 62 53 58 56H64V63H59C60 68 65 71 67 74H33C35 71 40 68 41 63H36V56H42C38 53 34 49 33 42C32 33 37 24 46.500 16.500A5 5 0 0 1 50 8Z"],
    ["M56 27L50 41", "M42 56H58"]],
  q: [["M32 74C34 69 34 64 31 58L18 31A4.800 4.800 0 1 1 23 29L36 43L35.500 21A4.800 4.800 0 1 1 40.500 21L47 40L48 17A4.800 4.800 0 1 1 52 17L53 40L59.500 21A4.800 4.800 0 1 1 64.500 21L64 43L77 29A4.800 4.800 0 1 1 82 31L69 58C66 64 66 69 68 74Z"],
    ["M32.500 61C44 57 56 57 67.500 61"]],
  k: [["M46.500 6H53.500V12H60V19H53.500V26C57 28 59 32 58 36C68 27 83 33 80 47C78.500 54 70 58 68 64C67 68 67 71 68 74H32C33 71 33 68 32 64C30 58 21.500 54 20 47C17 33 32 27 42 36C41 32 43 28 46.500 26V19H40V12H46.500Z"],
    ["M33 63C44 59 56 59 67 63", "M50 38V50"]],
};

export const names = { p: "pawn", r: "rook", n: "knight", b: "bishop", q: "queen", k: "king" };

/** The color of a piece in FEN's letters. */
export const colorOf = (kind) => (kind === kind.toUpperCase() ? "white" : "black");

/** The name of a piece: white pawn. */
export const nameOf = (kind) => `${colorOf(kind)} ${names[kind.toLowerCase()]}`;

function path(d, name) {
  const p = document.createElementNS(SVG, "path");
  p.setAttribute("d", d);
  p.setAttribute("class", name);
  return p;
}

/** A new drawing of a piece. */
export function draw(kind) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", `piece ${colorOf(kind)}`);
  svg.setAttribute("aria-hidden", "true");
  const [bodies, lines] = shapes[kind.toLowerCase()];
  svg.append(...bodies.map((d) => path(d, "body")), path(foot, "body"), ...lines.map((d) => path(d, "line")), path("M30 80H70", "line"));
  return svg;
}
