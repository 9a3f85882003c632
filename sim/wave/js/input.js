// Mouse, touch and keyboard.
import {axisHeight} from "./draw.js";

const near = 6; // pixels within which a cursor's line is taken hold of

// listen connects the canvas, the overview and the keys with the viewer w.
export function listen(w) {
	pointer(w);
	overview(w);
	w.main.addEventListener("keydown", e => key(w, e));
	w.canvas.addEventListener("wheel", e => {
		const sideways = Math.abs(e.deltaX) > Math.abs(e.deltaY);
		if (e.ctrlKey || e.metaKey) w.zoom(Math.exp(-e.deltaY / 250), e.offsetX);
		else if (e.shiftKey || sideways) w.pan(sideways ? e.deltaX : e.deltaY);
		else return; // the list of rows scrolls, or the page
		e.preventDefault();
	}, {passive: false});
}

function pointer(w) {
	const fingers = new Map();
	let did = null; // what the pointer does: "pan", "axis", a cursor's name
	let start = 0, moved = false;
	const at = e => e.clientX - w.canvas.getBoundingClientRect().left;
	w.canvas.addEventListener("pointerdown", e => {
		if (e.button != 0) return;
		const x = at(e);
		w.canvas.setPointerCapture(e.pointerId);
		fingers.set(e.pointerId, x);
		start = x;
		moved = fingers.size > 1;
		const cursor = w.cursors().find(c => Math.abs(w.view.x(c.cycle + 0.5) - x) < near);
		did = cursor ? cursor.name : e.offsetY < axisHeight ? "axis" : "pan";
	});
	w.canvas.addEventListener("pointermove", e => {
		const before = fingers.get(e.pointerId), x = at(e);
		if (before === undefined) {
			const hold = w.cursors().some(c => Math.abs(w.view.x(c.cycle + 0.5) - x) < near);
			w.canvas.style.cursor = hold ? "ew-resize" : "";
			return;
		}
		if (Math.abs(x - start) > 3) moved = true;
		if (fingers.size == 2) {
			const other = [...fingers].find(([id]) => id != e.pointerId)[1];
			w.zoom(Math.abs(x - other) / Math.max(Math.abs(before - other), 1), (x + other) / 2);
		} else if (did == "pan" && moved) w.pan(before - x);
		else if (did == "a" || did == "b") w.setCursor(did, w.view.cycle(x));
		fingers.set(e.pointerId, x);
	});
	const up = e => {
		if (!fingers.delete(e.pointerId) || e.type == "pointercancel") return;
		const x = at(e);
		if (!moved) {
			w.selectAt(e.offsetY);
			if (did != "a" && did != "b") w.setCursor(e.shiftKey ? "b" : "a", w.view.cycle(x));
		} else if (did == "axis") w.window(w.view.cycle(Math.min(start, x)), w.view.cycle(Math.max(start, x)));
	};
	w.canvas.addEventListener("pointerup", up);
	w.canvas.addEventListener("pointercancel", up);
}

// overview is the bar below, which shows which part is seen.
function overview(w) {
	const move = e => {
		const box = w.overview.getBoundingClientRect();
		w.center(w.view.first + (e.clientX - box.left) / box.width * (w.view.end - w.view.first));
	};
	w.overview.addEventListener("pointerdown", e => {
		w.overview.setPointerCapture(e.pointerId);
		move(e);
	});
	w.overview.addEventListener("pointermove", e => {
		if (w.overview.hasPointerCapture(e.pointerId)) move(e);
	});
}

function key(w, e) {
	if (e.target.closest("input, select, button, summary") || e.metaKey) return;
	const cursor = e.shiftKey ? "b" : "a";
	const actions = {
		ArrowLeft: () => e.ctrlKey ? w.toChange(-1) : w.moveCursor(cursor, -1),
		ArrowRight: () => e.ctrlKey ? w.toChange(1) : w.moveCursor(cursor, 1),
		ArrowUp: () => e.altKey ? w.moveRow(-1) : w.selectNext(-1),
		ArrowDown: () => e.altKey ? w.moveRow(1) : w.selectNext(1),
		PageUp: () => w.pan(-w.view.width / 2),
		PageDown: () => w.pan(w.view.width / 2),
		Home: () => w.setCursor("a", w.view.first),
		End: () => w.setCursor("a", w.view.end - 1),
		"+": () => w.zoom(1.5, w.focus()),
		"=": () => w.zoom(1.5, w.focus()),
		"-": () => w.zoom(1 / 1.5, w.focus()),
		0: () => w.whole(),
		r: () => w.nextRadix(),
		b: () => w.toggleB(),
		g: () => w.go.focus(),
		"/": () => w.find(),
		Delete: () => w.selected && w.hide(w.selected.path),
	};
	const action = actions[e.key];
	if (!action) return;
	action();
	e.preventDefault();
}
