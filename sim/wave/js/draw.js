// Drawing on the canvas: the axis, the rows that are seen, marks and cursors.
import {format, square} from "./values.js";
import {runs} from "./trace.js";
import {step} from "./view.js";

export const axisHeight = 54; // cycles, times, and names of cursors and marks
const narrow = 3; // pixels of a value that are too few to draw a box
const font = "12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

// theme reads the colours from the page's style.
export function theme(element) {
	const style = getComputedStyle(element);
	const colours = {};
	for (const name of ["back", "panel", "text", "faint", "grid", "high", "bus", "busy", "unknown", "unknown-back", "floating",
		"bad", "bad-back", "lane", "a", "b", "mark", "selected"]) {
		colours[name.replace("-b", "B")] = style.getPropertyValue("--wave-" + name).trim();
	}
	return colours;
}

// draw draws everything. rows are those that are seen, each with its top in pixels.
export function draw(c, {width, height, ratio, view, rows, cursors, marks, theme, time, cycleName}) {
	c.setTransform(ratio, 0, 0, ratio, 0, 0);
	c.fillStyle = theme.back;
	c.fillRect(0, 0, width, height);
	c.font = font;
	c.textBaseline = "middle";
	const pen = {c, view, theme, width, character: c.measureText("0").width};
	c.save();
	c.beginPath();
	c.rect(0, axisHeight, width, height - axisHeight);
	c.clip();
	gridLines(pen, height);
	for (const row of rows) drawRow(pen, row);
	c.restore();
	axis(pen, time, cycleName);
	for (const mark of marks) flag(pen, mark, height);
	for (const cursor of cursors) line(pen, cursor, height);
}

function drawRow(pen, row) {
	const {c, theme, width} = pen;
	if (row.selected) {
		c.fillStyle = theme.selected;
		c.fillRect(0, row.top, width, row.height);
	}
	if (row.kind == "lane") lane(pen, row);
	else if (row.kind == "signal" && row.trace) {
		for (const [from, to] of row.signal.bad ?? []) {
			const x = pen.view.x(from);
			c.fillStyle = theme.badBack;
			c.fillRect(x, row.top, pen.view.x(to) - x, row.height);
		}
		if (row.signal.width == 1) bit(pen, row);
		else bus(pen, row);
	}
}

// bit draws a signal of one bit, high and low.
function bit(pen, {trace, top, height}) {
	const {c, view, theme, width} = pen;
	const high = top + 5, low = top + height - 5, middle = (high + low) / 2;
	const lines = new Path2D(), floating = new Path2D();
	const unknown = [], busy = [];
	let before = null;
	runs(trace, view, width, (from, to, i) => {
		const on = trace.bits[i] & 1;
		if (trace.unknown && trace.unknown[i] & 1) {
			if (on) {
				floating.moveTo(from, middle);
				floating.lineTo(to, middle);
			} else unknown.push([from, to]);
			before = null;
			return;
		}
		const y = on ? high : low;
		lines.moveTo(from, before ?? y);
		lines.lineTo(from, y);
		lines.lineTo(to, y);
		before = y;
	}, (from, to, anyUnknown) => {
		(anyUnknown ? unknown : busy).push([from, to]);
		before = null;
	});
	c.fillStyle = theme.busy;
	for (const [from, to] of busy) c.fillRect(from, high, to - from, low - high);
	strokes(c, lines, theme.high, 1.5);
	float(c, floating, theme);
	for (const [from, to] of unknown) cross(pen, from, to, high, low, "x");
}

// bus draws a signal of several bits: a box for each value, with the value in it where it fits.
function bus(pen, row) {
	const {trace, signal, radix, top, height} = row;
	const {c, view, theme, width} = pen;
	const high = top + 4, low = top + height - 4, middle = (high + low) / 2;
	const boxes = new Path2D(), floating = new Path2D();
	const labels = [], unknown = [], busy = [], boards = [];
	runs(trace, view, width, (from, to, i) => {
		const any = trace.anyUnknown(i, i + 1);
		if (!any && to - from < narrow) {
			busy.push([from, to]);
			return;
		}
		const value = any || to - from > 10 ? trace.value(i) : null;
		const all = (1n << BigInt(signal.width)) - 1n;
		if (any && value.unknown == all && value.bits == all) {
			floating.moveTo(from, middle);
			floating.lineTo(to, middle);
			return;
		}
		if (any) unknown.push([from, to, label(value, row, to - from, pen)]);
		else {
			box(boxes, from, to, high, low);
			if (radix == "board" && to - from >= low - high + 6) boards.push([from, value]);
			else if (value) labels.push([from, to, label(value, row, to - from, pen)]);
		}
		if (any && radix == "board" && to - from >= low - high + 6) boards.push([from, value]);
	}, (from, to, anyUnknown) => (anyUnknown ? unknown : busy).push([from, to, ""]));
	c.fillStyle = theme.busy;
	for (const [from, to] of busy) c.fillRect(from, high, to - from, low - high);
	strokes(c, boxes, theme.bus, 1.25);
	float(c, floating, theme);
	for (const [from, to, text] of unknown) cross(pen, from, to, high, low, radix == "board" ? "" : text);
	c.fillStyle = theme.text;
	for (const [from, , text] of labels) if (text) c.fillText(text, Math.max(from, 0) + 6, middle + 0.5);
	for (const [from, value] of boards) board(pen, value, Math.max(from, 0) + 5, high + 1, (low - high - 2) / 8);
}

function box(path, from, to, high, low) {
	const slant = Math.min(3, (to - from) / 2), middle = (high + low) / 2;
	path.moveTo(from, middle);
	path.lineTo(from + slant, high);
	path.lineTo(to - slant, high);
	path.lineTo(to, middle);
	path.lineTo(to - slant, low);
	path.lineTo(from + slant, low);
	path.lineTo(from, middle);
}

// label returns as much of a value as fits, or "".
function label(value, {radix, signal}, room, {character}) {
	const fits = Math.floor((room - 10) / character);
	if (fits < 1) return "";
	const text = format(value, radix == "board" ? "hex" : radix, signal);
	return text.length <= fits ? text : fits < 3 ? "" : text.slice(0, fits - 1) + "…";
}

// board draws 64 bits as 8 rows of 8, with bit 0 at the bottom left.
function board({c, theme}, value, left, top, size) {
	for (let bit = 0; bit < 64; bit++) {
		const state = square(value, bit);
		c.fillStyle = state == "1" ? theme.text : state == "0" ? theme.grid : state == "x" ? theme.unknown : theme.floating;
		c.fillRect(left + (bit & 7) * size, top + (7 - (bit >> 3)) * size, size - 1, size - 1);
	}
}

// lane draws what lasts for some cycles and has a name: transactions, a model's values.
function lane(pen, {lane, top, height}) {
	const {c, view, theme, width} = pen;
	const high = top + 4, low = top + height - 4, first = view.cycle(0), last = view.cycle(width);
	let drawn = -Infinity; // pixels that have something already
	for (const span of lane.spans) {
		if (span.to < first || span.from > last) continue;
		const from = Math.max(view.x(span.from), -10), to = Math.min(Math.max(view.x(span.to + 1), from + 3), width + 10);
		if (to <= drawn) continue;
		drawn = to;
		c.fillStyle = span.bad ? theme.badBack : theme.lane;
		c.strokeStyle = span.bad ? theme.bad : theme.bus;
		c.lineWidth = span.bad ? 1.75 : 1;
		c.beginPath();
		c.roundRect(from + 0.5, high, to - from - 1, low - high, 4);
		c.fill();
		c.stroke();
		const fits = Math.floor((to - Math.max(from, 0) - 10) / pen.character);
		if (fits < 2) continue;
		c.fillStyle = span.bad ? theme.bad : theme.text;
		c.fillText(span.text.length <= fits ? span.text : span.text.slice(0, fits - 1) + "…", Math.max(from, 0) + 6, (high + low) / 2 + 0.5);
	}
}

// cross draws a value with unknown bits: a hatched box, so that it is not told by its colour alone.
function cross({c, theme, character}, from, to, high, low, text) {
	if (to - from < 4) {
		c.fillStyle = theme.unknown;
		c.fillRect(Math.floor(from), high, Math.max(Math.round(to - from), 1), low - high);
		return;
	}
	c.save();
	c.beginPath();
	c.rect(from, high, Math.max(to - from, 1), low - high);
	c.fillStyle = theme.unknownBack;
	c.fill();
	c.clip();
	c.strokeStyle = theme.unknown;
	c.lineWidth = 1;
	c.beginPath();
	c.rect(from + 0.5, high + 0.5, Math.max(to - from - 1, 0.5), low - high - 1);
	const start = Math.max(from, -20), end = Math.min(to, start + 5000);
	for (let x = start - (low - high); x < end; x += 7) {
		c.moveTo(x, low);
		c.lineTo(x + low - high, high);
	}
	c.stroke();
	if (text && to - from > text.length * character + 8) {
		const at = Math.max(from, 0) + 6;
		c.fillStyle = theme.back;
		c.fillRect(at - 2, high + 1, text.length * character + 4, low - high - 2);
		c.fillStyle = theme.unknown;
		c.fillText(text, at, (high + low) / 2 + 0.5);
	}
	c.restore();
}

// float draws what is Z: a dashed line half-way up.
function float(c, path, theme) {
	c.setLineDash([5, 3]);
	strokes(c, path, theme.floating, 2);
	c.setLineDash([]);
}

function strokes(c, path, colour, width) {
	c.strokeStyle = colour;
	c.lineWidth = width;
	c.stroke(path);
}

function ticks({view, width, character}) {
	const room = (String(Math.ceil(view.cycle(width))).length + 3) * character;
	const size = step(view.scale, Math.max(room, 56));
	const all = [];
	for (let cycle = Math.ceil(Math.max(view.from, view.first) / size) * size; view.x(cycle) < width && cycle < view.end; cycle += size) all.push(cycle);
	return all;
}

function gridLines(pen, height) {
	pen.c.fillStyle = pen.theme.grid;
	for (const cycle of ticks(pen)) pen.c.fillRect(Math.round(pen.view.x(cycle)), axisHeight, 1, height);
}

function axis(pen, time, cycleName) {
	const {c, theme, view, width} = pen;
	c.fillStyle = theme.panel;
	c.fillRect(0, 0, width, axisHeight);
	c.fillStyle = theme.grid;
	c.fillRect(0, axisHeight - 1, width, 1);
	let free = 0;
	for (const cycle of ticks(pen)) {
		const x = Math.round(view.x(cycle));
		c.fillStyle = theme.faint;
		c.fillRect(x, axisHeight - 7, 1, 6);
		c.fillStyle = theme.text;
		c.fillText(String(cycle), x + 3, 12);
		const words = time ? time(cycle) : "";
		if (words && x >= free) {
			c.fillStyle = theme.faint;
			c.fillText(words, x + 3, 27);
			free = x + words.length * pen.character + 10;
		}
	}
}

// line draws a cursor, with its name at the top.
function line({c, view, theme}, {name, cycle}, height) {
	const x = Math.round(view.x(cycle + 0.5));
	if (x < -20 || x > view.width + 20) return;
	c.fillStyle = c.strokeStyle = theme[name];
	c.lineWidth = 1.5;
	c.setLineDash(name == "b" ? [6, 4] : []);
	c.beginPath();
	c.moveTo(x, axisHeight - 4);
	c.lineTo(x, height);
	c.stroke();
	c.setLineDash([]);
	c.beginPath();
	c.roundRect(x - 8, axisHeight - 18, 16, 16, 3);
	c.fill();
	c.fillStyle = theme.back;
	c.fillText(name.toUpperCase(), x - 3.5, axisHeight - 9.5);
}

// flag draws a mark: the cycle that failed, a trigger.
function flag({c, view, theme}, {cycle, text}, height) {
	const from = view.x(cycle), to = Math.max(view.x(cycle + 1), from + 2);
	if (to < 0 || from > view.width) return;
	c.save();
	c.globalAlpha = 0.13;
	c.fillStyle = theme.mark;
	c.fillRect(from, axisHeight, to - from, height);
	c.restore();
	c.fillStyle = theme.mark;
	c.fillRect(from, axisHeight - 3, to - from, 3);
	if (text) c.fillText(text, Math.max(from, 0) + (to - from) / 2 + 12, axisHeight - 10);
}
