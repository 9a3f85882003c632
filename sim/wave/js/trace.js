// The changes of one signal, oldest first. Arrays grow as changes are appended; all searches are
// binary, so that a million changes cost no more than a few.
import {joined, split, wordsOf} from "./values.js";

export class Trace {
	constructor(width, limit = Infinity) {
		this.width = width;
		this.limit = limit; // of changes; the older half is forgotten beyond it
		this.words = wordsOf(width);
		this.count = 0;
		this.room(64);
	}

	room(n) {
		const grown = (old, length, Type) => {
			const array = new Type(length);
			if (old) array.set(old.subarray(0, length));
			return array;
		};
		this.cycles = grown(this.cycles, n, Float64Array);
		this.bits = grown(this.bits, n * this.words, Uint32Array);
		if (this.unknown) this.known(n);
	}

	// known makes room for unknown bits, which most signals have none of, and for how many changes
	// up to each have such bits.
	known(n) {
		const unknown = new Uint32Array(n * this.words), before = new Uint32Array(n + 1);
		if (this.unknown) {
			unknown.set(this.unknown.subarray(0, this.count * this.words));
			before.set(this.before.subarray(0, this.count + 1));
		}
		this.unknown = unknown;
		this.before = before;
	}

	// append adds a change. It must not be older than the last one, and replaces it if it is of the
	// same cycle. What is no change is left out.
	append(cycle, {bits, unknown}) {
		const last = this.cycles[this.count - 1];
		if (this.count > 0 && cycle < last) throw new RangeError(`a change in cycle ${cycle} after one in ${last}`);
		if (this.count > 0 && cycle == last) this.count--;
		if (this.count > 0 && this.same(this.count - 1, bits, unknown)) return;
		if (this.count >= this.limit) this.forget(this.limit >> 1);
		if (this.count == this.cycles.length) this.room(2 * this.count);
		const i = this.count++;
		this.cycles[i] = cycle;
		split(bits, this.bits, i * this.words, this.words);
		if (unknown && !this.unknown) this.known(this.cycles.length);
		if (this.unknown) {
			split(unknown, this.unknown, i * this.words, this.words);
			this.before[i + 1] = this.before[i] + (unknown ? 1 : 0);
		}
	}

	same(i, bits, unknown) {
		if (this.words == 1) return this.bits[i] == Number(bits) && (this.unknown ? this.unknown[i] : 0) == Number(unknown);
		const v = this.value(i);
		return v.bits == bits && v.unknown == unknown;
	}

	// forget removes the oldest changes.
	forget(n) {
		this.cycles.copyWithin(0, n, this.count);
		this.bits.copyWithin(0, n * this.words, this.count * this.words);
		if (this.unknown) {
			this.unknown.copyWithin(0, n * this.words, this.count * this.words);
			const gone = this.before[n];
			for (let i = n; i <= this.count; i++) this.before[i - n] = this.before[i] - gone;
		}
		this.count -= n;
	}

	// search returns the first change, from the given one on, that is in this cycle or later.
	search(cycle, from = 0) {
		// Most searches end near their beginning.
		let step = 1, low = from, high = this.count;
		while (low + step < high && this.cycles[low + step] < cycle) {
			low += step;
			step *= 2;
		}
		high = Math.min(high, low + step + 1);
		while (low < high) {
			const middle = (low + high) >>> 1;
			if (this.cycles[middle] < cycle) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	// index returns the change whose value the signal has in a cycle, or -1.
	index(cycle) {
		const i = this.search(cycle);
		return i < this.count && this.cycles[i] == cycle ? i : i - 1;
	}

	value(i) {
		return {
			bits: joined(this.bits, i * this.words, this.words),
			unknown: this.unknown ? joined(this.unknown, i * this.words, this.words) : 0n,
		};
	}

	// at returns the value in a cycle, or null.
	at(cycle) {
		const i = this.index(cycle);
		return i < 0 ? null : this.value(i);
	}

	// anyUnknown reports whether one of the changes from i up to, but without, j has unknown bits.
	anyUnknown(i, j) {
		return Boolean(this.unknown) && this.before[j] > this.before[i];
	}
}

// runs tells what is to be drawn of a trace on a line of pixels: hold(from, to, i) where change i
// is seen for a pixel or more, and busy(from, to, unknown) where changes are closer than pixels. It
// takes as long as there are pixels, however many changes there are.
export function runs(trace, view, width, hold, busy) {
	const {cycles, count} = trace;
	if (count == 0) return;
	let i = trace.index(view.cycle(0));
	let x = 0;
	if (i < 0) {
		i = 0;
		x = view.x(cycles[0]);
	}
	const end = Math.min(width, view.x(view.end));
	while (x < end) {
		const next = i + 1 < count ? view.x(cycles[i + 1]) : end;
		if (next - x >= 1 || i + 1 == count) {
			hold(x, Math.min(next, end), i);
			x = next;
			i++;
			continue;
		}
		let from = x, unknown = null;
		while (x < end && i + 1 < count && view.x(cycles[i + 1]) - x < 1) {
			const last = trace.search(view.cycle(x + 1), i + 1) - 1, any = trace.anyUnknown(i, last + 1);
			if (unknown !== null && any != unknown) {
				busy(from, x, unknown);
				from = x;
			}
			unknown = any;
			i = last;
			x++;
		}
		busy(from, Math.min(x, end), unknown);
	}
}
