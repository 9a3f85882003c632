// The part of the time axis that is seen: cycles on pixels. Cycle n is drawn from n to n + 1.

const closest = 120; // pixels a cycle, at most
const beyond = 16; // pixels that are seen behind the last cycle, as a cursor in it needs room

export class View {
	constructor() {
		this.first = 0; // cycles that there are
		this.end = 1;
		this.from = 0; // the cycle at the left edge
		this.scale = 12; // pixels a cycle
		this.width = 800;
	}

	x(cycle) { return (cycle - this.from) * this.scale; }
	cycle(x) { return this.from + x / this.scale; }

	// seen returns how many cycles are seen.
	get seen() { return this.width / this.scale; }

	// atEnd reports whether the last cycle is in view: then a running simulation is followed.
	get atEnd() { return this.from + this.seen >= this.end; }

	// least returns how many pixels a cycle has when all are seen.
	get least() { return Math.max(this.width - beyond, 1) / (this.end - this.first); }

	zoom(factor, x = this.width / 2) {
		const cycle = this.cycle(x);
		this.scale = Math.min(closest, Math.max(this.scale * factor, this.least));
		this.from = cycle - x / this.scale;
		this.clamp();
	}

	pan(pixels) {
		this.from += pixels / this.scale;
		this.clamp();
	}

	// show shows the cycles from one up to, but without, another.
	show(from, to) {
		this.scale = Math.min(closest, this.width / Math.max(to - from, 1));
		this.from = from;
		this.zoom(1);
	}

	whole() {
		this.scale = Math.min(closest, this.least);
		this.from = this.first;
	}

	// reveal moves so that a cycle is seen.
	reveal(cycle) {
		const margin = Math.min(3, this.seen / 8);
		if (cycle < this.from + margin) this.from = cycle - margin;
		else if (cycle + 1 > this.from + this.seen - margin) this.from = cycle + 1 + margin - this.seen;
		else return;
		this.clamp();
	}

	center(cycle) {
		this.from = cycle + 0.5 - this.seen / 2;
		this.clamp();
	}

	resize(width) {
		this.width = Math.max(width, 1);
		this.zoom(1, 0);
	}

	clamp() {
		this.from = Math.max(this.first, Math.min(this.from, this.end + beyond / this.scale - this.seen));
	}
}

// step returns a round number of cycles, with room for a label between two of them.
export function step(scale, room) {
	let size = 1;
	for (;;) {
		for (const factor of [1, 2, 5]) if (size * factor * scale >= room) return size * factor;
		size *= 10;
	}
}
