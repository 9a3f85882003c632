// The viewer of waves. A page makes one, tells it of signals, and appends their changes, while a
// simulation runs too:
//
//	import {Waves} from "./wave.js";
//	const w = new Waves(element, {cycleName: "cycle"});
//	w.addSignal({path: "top.count_o", width: 8, group: "outputs"}); // with a group: shown at once
//	w.append("top.count_o", 17, "0x2x");   // a number, a BigInt, or a text: see parse in values.js
//	w.extend(18);                          // 18 cycles are done, whether anything has changed or not
//
// or loads what package wave of Go has written (load). See the methods of Waves.
import {Detail, help, Table} from "./detail.js";
import {draw, axisHeight, theme} from "./draw.js";
import {layout, reveal, seen} from "./rows.js";
import {Names, valueOf} from "./names.js";
import {open, trace} from "./decode.js";
import {bar, duration} from "./bar.js";
import {fits, parse, radixes} from "./values.js";
import {listen} from "./input.js";
import {make} from "./dom.js";
import {Trace} from "./trace.js";
import {Tree} from "./tree.js";
import {View} from "./view.js";

export class Waves {
	// Options, all of which may be left out: cycleName ("cycle"); time, which returns the time of a
	// cycle's clock edge in picoseconds; limit, the changes that are kept of a signal (a million);
	// onshow(path) and onhide(path), called when the person shows or hides a signal;
	// oncursor(cycle).
	constructor(element, options = {}) {
		this.options = {cycleName: "cycle", limit: 1 << 20, ...options};
		this.time = this.options.time;
		this.signals = new Map();
		this.shown = []; // signals and lanes, in the order in which they are shown
		this.closed = new Set(); // groups of which only the heading is shown
		this.rows = []; // what is shown, with headings
		this.marks = [];
		this.a = this.b = null;
		this.version = 0; // of the rows, and of what they have at the cursors
		this.selected = null;
		this.view = new View();
		this.tree = new Tree({
			show: (path, on) => on ? this.show(path, undefined, true) : this.hide(path, true),
			shown: path => this.shown.some(r => r.path == path && r.kind == "signal"),
		});
		this.names = new Names({select: row => this.select(row.path), toggle: group => this.toggleGroup(group)});
		this.names.cycleName = this.options.cycleName;
		this.detail = new Detail();
		this.table = new Table(this.options.cycleName);
		this.table.onopen = () => {
			this.version++;
			this.changed();
		};
		this.canvas = make("canvas", {className: "wave-canvas", tabIndex: 0, role: "application", "aria-roledescription": "waveform"});
		this.empty = make("p", {className: "wave-empty"}, "Tick signals in the list of all signals to see them here.");
		this.scroll = make("div", {className: "wave-scroll"}, this.names.element, this.canvas, this.empty);
		this.main = make("div", {className: "wave-main"}, this.tree.element, this.scroll);
		this.thumb = make("i");
		this.overview = make("div", {className: "wave-overview", "aria-hidden": "true"}, this.thumb);
		this.said = make("div", {className: "wave-said", role: "status"});
		element.classList.add("wave");
		element.replaceChildren(bar(this), this.main, this.overview, this.detail.element, this.table.element, help(), this.said);
		this.element = element;
		this.scroll.addEventListener("scroll", () => this.changed());
		new ResizeObserver(() => this.changed()).observe(this.scroll);
		for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
			matchMedia(query).addEventListener("change", () => {
				this.theme = null;
				this.changed();
			});
		}
		listen(this);
		this.layout();
	}

	// addSignal makes a signal known: its path (or scopes and a name, which may have dots), width,
	// and what is known besides: group, radix, names of values, bad (ranges of cycles).
	addSignal({path, scopes, name, width = 1, group, radix, names, bad, from}) {
		scopes ??= path.split(".").slice(0, -1);
		name ??= path.split(".").at(-1);
		path ??= [...scopes, name].join(".");
		const label = scopes.length > 1 ? scopes.at(-1) + "." + name : name;
		const signal = {path, scopes, name, label, width, names, bad, span: width > 1 ? `[${width - 1}:0]` : "", from};
		signal.radix = radix && fits(radix, signal) ? radix : names ? "names" : width > 1 ? "hex" : "binary";
		signal.trace = null;
		this.signals.set(path, signal);
		this.tree.add(signal);
		if (group) this.show(path, group);
		return signal;
	}

	// traceOf returns the changes of a signal. Of a file, they are read when they are wanted.
	traceOf(signal) {
		signal.trace ??= signal.from ? signal.from() : new Trace(signal.width, this.options.limit);
		return signal.trace;
	}

	append(path, cycle, value) {
		const signal = this.signals.get(path);
		if (!signal) throw new Error(`append: there is no signal ${path}: addSignal comes before`);
		this.traceOf(signal).append(cycle, parse(value, signal.width));
		if (cycle <= Math.max(this.a, this.b)) this.version++;
		if (cycle >= this.view.end) this.extend(cycle + 1);
		else this.changed();
	}

	// extend sets how many cycles are done. If the last one was in view, the next one will be.
	extend(end) {
		if (end <= this.view.end) return;
		const follow = this.view.atEnd;
		this.view.end = end;
		if (follow) this.view.center(end);
		this.changed();
	}

	// begin forgets all changes and marks: the waves begin anew, in a cycle.
	begin(cycle) {
		for (const signal of this.signals.values()) signal.trace = null;
		this.marks = [];
		for (const name of ["a", "b"]) if (this[name] < cycle) this[name] = null;
		Object.assign(this.view, {first: cycle, end: cycle + 1});
		this.view.clamp();
		this.changed();
	}

	// resize sets the width of a signal of which it was not known. It is before its first change.
	resize(path, width) {
		const signal = this.signals.get(path);
		if (signal.width == width) return;
		const radix = width > 1 ? "hex" : "binary";
		Object.assign(signal, {width, radix, trace: null, span: width > 1 ? `[${width - 1}:0]` : ""});
		for (const row of this.shown) if (row.signal == signal) row.radix = radix;
		this.tree.stale = true;
		this.layout();
	}

	// addLane shows what lasts for some cycles: spans {from, to, text, bad}, oldest first, with
	// both cycles in them. after is the path of the row that it comes below.
	addLane({path, label, group, spans = [], after}) {
		const lane = {path, spans};
		const row = {kind: "lane", path, label: label ?? path, group, lane, bad: spans.some(s => s.bad)};
		const at = after ? this.shown.findIndex(r => r.path == after) + 1 : 0;
		this.shown.splice(at || this.placeIn(group), 0, row);
		this.layout();
		return lane;
	}

	// show shows a signal in a group, or hides it.
	show(path, group = "more signals", asked = false) {
		const signal = this.signals.get(path);
		if (!signal || this.tree.shown(path)) return;
		const row = {kind: "signal", path, label: signal.label, group, signal, radix: signal.radix, bad: Boolean(signal.bad?.length)};
		Object.defineProperty(row, "trace", {get: () => this.traceOf(signal)});
		this.shown.splice(this.placeIn(group), 0, row);
		if (asked) this.options.onshow?.(path);
		this.layout();
	}

	hide(path, asked = true) {
		const i = this.shown.findIndex(r => r.path == path);
		if (i < 0) return;
		const [row] = this.shown.splice(i, 1);
		if (row == this.selected) this.selected = this.shown[Math.min(i, this.shown.length - 1)] ?? null;
		if (asked && row.kind == "signal") this.options.onhide?.(path);
		this.layout();
	}

	// mark marks a cycle with a text: where a simulation failed, or a trigger.
	mark(cycle, text = "") {
		this.marks.push({cycle, text});
		this.changed();
	}

	setCursor(name, cycle) {
		if (cycle !== null) cycle = Math.max(this.view.first, Math.min(Math.floor(cycle), this.view.end - 1));
		if (this[name] === cycle) return;
		this[name] = cycle;
		this.version++;
		if (cycle !== null) this.view.reveal(cycle);
		if (name == "a") this.options.oncursor?.(cycle);
		this.say();
		this.changed();
	}

	// goTo puts cursor A into a cycle, and shows the cycles from one to another around it.
	goTo(cycle, from, to) {
		if (from !== undefined) {
			const margin = Math.max(2, (to - from) * 0.1);
			this.view.show(Math.max(from - margin, this.view.first), to + 1 + margin);
		}
		this.setCursor("a", cycle);
		this.view.reveal(cycle);
		this.changed();
	}

	window(from, to) { this.moved(() => this.view.show(from, to)); }
	whole() { this.moved(() => this.view.whole()); }
	zoom(factor, x) { this.moved(() => this.view.zoom(factor, x)); }
	pan(pixels) { this.moved(() => this.view.pan(pixels)); }
	center(cycle) { this.moved(() => this.view.center(cycle)); }

	moved(change) {
		change();
		this.changed();
	}

	// load shows the waves of a file, as bytes that package wave of Go has written.
	load(bytes) {
		const {about, body} = open(bytes);
		Object.assign(this.view, {first: about.first, end: about.end, from: about.first});
		this.time = about.edges ? cycle => about.edges[cycle - about.first] : about.step ? cycle => about.start + (cycle - about.first) * about.step : undefined;
		for (const s of about.signals) this.addSignal({...s, from: () => trace(body, s.at, s.width, about.first)});
		for (const lane of about.lanes ?? []) this.addLane(lane);
		for (const {cycle, text} of about.marks ?? []) this.mark(cycle, text);
		this.makeRows();
		const {offset = 0, height = 0} = this.rows.at(-1) ?? {};
		this.main.style.height = Math.min(440, Math.max(200, offset + height + 20)) + "px"; // once: later it would jump
		this.measure();
		this.whole();
		if (about.window) this.window(...about.window);
		if (about.cursor !== undefined) this.setCursor("a", about.cursor);
		const bad = this.shown.find(r => r.bad) ?? this.shown[0];
		if (bad) this.select(bad.path);
	}

	select(path) {
		const row = this.rows.find(r => r.path == path && r.kind != "group");
		if (!row || row == this.selected) return;
		this.selected = row;
		this.version++;
		reveal(row, this.scroll);
		this.say();
		this.changed();
	}

	// What follows is called by keys, mouse and buttons.

	cursors() {
		return ["a", "b"].filter(name => this[name] !== null).map(name => ({name, cycle: this[name]}));
	}

	// focus returns the pixel that stays where it is when keys zoom.
	focus() {
		const x = this.a === null ? -1 : this.view.x(this.a + 0.5);
		return x >= 0 && x <= this.view.width ? x : this.view.width / 2;
	}

	moveCursor(name, by) { this.setCursor(name, (this[name] ?? this.a ?? this.view.from) + by); }

	toggleB() { this.setCursor("b", this.b === null ? this.a : null); }

	// toChange moves cursor A to the next or the last change of the selected row.
	toChange(direction) {
		const row = this.selected, cycle = this.a ?? this.view.first - 1;
		if (!row) return;
		let to;
		if (row.kind == "lane") {
			const starts = row.lane.spans.map(s => s.from);
			to = direction > 0 ? starts.find(c => c > cycle) : starts.findLast(c => c < cycle);
		} else {
			const i = direction > 0 ? row.trace.search(cycle + 1) : row.trace.search(cycle) - 1;
			if (i >= 0 && i < row.trace.count) to = row.trace.cycles[i];
		}
		if (to !== undefined) this.setCursor("a", to);
	}

	selectNext(by) {
		const rows = this.rows.filter(r => r.kind != "group");
		const next = rows[Math.max(0, Math.min(rows.indexOf(this.selected) + by, rows.length - 1))];
		if (next) this.select(next.path);
	}

	selectAt(y) {
		const row = seen(this.rows, this.scroll).find(r => r.top <= y && y < r.top + r.height && y >= axisHeight);
		if (row && row.kind != "group") this.select(row.path);
	}

	moveRow(by) {
		const i = this.shown.indexOf(this.selected), j = i + by;
		if (i < 0 || this.shown[j]?.group != this.selected.group) return;
		[this.shown[i], this.shown[j]] = [this.shown[j], this.shown[i]];
		this.layout();
	}

	setRadix(radix) {
		const row = this.selected;
		if (row?.kind != "signal" || !fits(radix, row.signal)) return;
		row.radix = radix;
		this.layout();
		this.say();
	}

	nextRadix() {
		if (this.selected?.kind != "signal") return;
		const all = Object.keys(radixes).filter(r => fits(r, this.selected.signal));
		this.setRadix(all[(all.indexOf(this.selected.radix) + 1) % all.length]);
	}

	toggleGroup(group) {
		if (!this.closed.delete(group)) this.closed.add(group);
		this.layout();
	}

	// find opens the list of all signals, at its search.
	find(open = true) {
		this.tree.element.hidden = !open;
		this.layout();
		if (open) this.tree.search.focus();
		else this.canvas.focus();
	}

	// say tells a screen reader where the cursor is.
	say() {
		clearTimeout(this.saying);
		this.saying = setTimeout(() => {
			const row = this.selected, where = this.a === null ? "" : `${this.options.cycleName} ${this.a}`;
			const text = row ? `${row.label} ${valueOf(row, this.a).text}` : "";
			this.said.textContent = [where, text].filter(Boolean).join(", ");
			this.canvas.setAttribute("aria-label", "waves of " + this.shown.length + " rows" + (where ? ", cursor A in " + where : ""));
		}, 150);
	}

	placeIn(group) {
		const last = this.shown.findLastIndex(r => r.group == group);
		return last < 0 ? this.shown.length : last + 1;
	}

	// layout makes the rows anew.
	layout() {
		this.stale = true;
		this.changed();
	}

	changed() {
		this.frame ??= requestAnimationFrame(() => {
			this.frame = null;
			this.paint();
		});
	}

	makeRows() {
		this.stale = false;
		this.version++;
		this.rows = layout(this.shown, this.closed);
		this.names.fill(this.rows);
		this.empty.hidden = this.rows.length > 0;
		this.tree.update();
		this.onlayout?.();
	}

	// measure fits the canvas to its place.
	measure() {
		const width = this.scroll.clientWidth - this.names.element.offsetWidth, height = this.scroll.clientHeight;
		const ratio = window.devicePixelRatio || 1;
		if (this.canvas.width != Math.round(width * ratio) || this.canvas.height != Math.round(height * ratio)) {
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(height * ratio);
			this.canvas.style.height = height + "px";
		}
		if (this.view.width != width) {
			const x = this.a === null ? -1 : this.view.x(this.a), inView = x >= 0 && x < this.view.width;
			this.view.resize(width);
			if (inView) this.view.reveal(this.a);
		}
		return {width, height, ratio};
	}

	paint() {
		if (this.stale) this.makeRows();
		const {width, height, ratio} = this.measure();
		if (width <= 0 || height <= 0) return;
		this.theme ??= theme(this.element);
		const rows = seen(this.rows, this.scroll), cursors = this.cursors(), view = this.view;
		for (const row of rows) row.selected = row == this.selected;
		draw(this.canvas.getContext("2d"), {
			width, height, ratio, view, rows, cursors, marks: this.marks, theme: this.theme,
			time: this.time && (cycle => duration(this.time(cycle))), cycleName: this.options.cycleName,
		});
		this.names.update(rows, this.a, this.selected);
		if (this.described != this.version) {
			this.described = this.version;
			this.detail.update(this.selected, cursors);
			this.table.update(this.rows, cursors);
		}
		this.onpaint?.();
		if (this.signals.size && !this.timed) this.timed = performance.mark("waves"); // how long it took to open
		const share = cycle => `${100 * (cycle - view.first) / (view.end - view.first)}%`;
		this.thumb.style.left = share(view.from);
		this.thumb.style.width = `${Math.min(100, 100 * view.seen / (view.end - view.first))}%`;
	}
}
