// The bar above the waves: buttons for what keys do, and where the cursors are.
import {fits, radixes} from "./values.js";
import {make} from "./dom.js";

const units = [["ps", 1], ["ns", 1e3], ["µs", 1e6], ["ms", 1e9], ["s", 1e12]];

// duration returns a time in words, given in picoseconds.
export function duration(picoseconds) {
	if (picoseconds === undefined) return "";
	const size = Math.abs(picoseconds);
	const [unit, scale] = units.findLast(([, scale]) => size >= scale) ?? units[1];
	return `${Number((picoseconds / scale).toPrecision(7))} ${unit}`;
}

// bar returns the bar of the viewer w.
export function bar(w) {
	const button = (text, name, action) => {
		const b = make("button", {type: "button", title: name, "aria-label": name}, text);
		b.addEventListener("click", action);
		return b;
	};
	const all = button("Signals", "all signals by hierarchy, to show or hide", () => w.find(w.tree.element.hidden));
	w.go = make("input", {type: "text", inputMode: "numeric", "aria-label": `go to ${w.options.cycleName}`, placeholder: `go to ${w.options.cycleName}`});
	w.go.addEventListener("keydown", e => {
		if (e.key != "Enter" || !/^\s*\d+\s*$/.test(w.go.value)) return;
		w.goTo(Number(w.go.value));
		w.canvas.focus();
	});
	const radix = make("select", {"aria-label": "notation of the selected signal"});
	radix.addEventListener("change", () => w.setRadix(radix.value));
	const cursors = make("div", {className: "wave-cursors"});
	let row = {};
	w.onlayout = () => all.setAttribute("aria-expanded", !w.tree.element.hidden);
	w.onpaint = () => {
		if (row != w.selected) {
			row = w.selected;
			const fit = row?.kind == "signal" ? Object.keys(radixes).filter(r => fits(r, row.signal)) : [];
			radix.replaceChildren(...fit.map(r => make("option", {value: r}, radixes[r])));
			radix.disabled = fit.length < 2;
		}
		if (row?.radix) radix.value = row.radix;
		readings(w, cursors);
	};
	return make("div", {className: "wave-bar", role: "toolbar", "aria-label": "waves"},
		make("div", {}, all),
		make("div", {}, button("−", "zoom out", () => w.zoom(1 / 1.5, w.focus())), button("+", "zoom in", () => w.zoom(1.5, w.focus())),
			button("All", "show all cycles", () => w.whole())),
		make("div", {}, button("◂", "last change of the selected signal", () => w.toChange(-1)), button("▸", "next change of the selected signal", () => w.toChange(1))),
		make("div", {}, w.go), make("div", {}, radix), cursors);
}

// readings shows where the cursors are, and how far apart.
function readings(w, element) {
	const time = cycle => w.time ? " " + duration(w.time(cycle)) : "";
	const parts = [];
	for (const {name, cycle} of w.cursors()) parts.push([name, `${cycle}${time(cycle)}`]);
	if (w.a !== null && w.b !== null) {
		const cycles = w.b - w.a, apart = w.time ? ", " + duration(w.time(w.b) - w.time(w.a)) : "";
		parts.push(["", `B − A: ${cycles} ${w.options.cycleName}${Math.abs(cycles) == 1 ? "" : "s"}${apart}`]);
	}
	const text = parts.map(p => p.join(" ")).join();
	if (element.dataset.text === text) return;
	element.dataset.text = text;
	element.replaceChildren(...parts.flatMap(([name, words]) => [
		...(name ? [make("b", {className: name}, name.toUpperCase())] : []), make("span", {}, words),
	]));
}
