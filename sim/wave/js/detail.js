// What is known of the selected row at the cursors: each way to write its value, its bits as a
// board; and all values as a table, for those who cannot see the drawing.
import {fits, format, radixes, square} from "./values.js";
import {valueOf} from "./names.js";
import {make} from "./dom.js";

export class Detail {
	constructor() {
		this.element = make("div", {className: "wave-detail"});
	}

	update(row, cursors) {
		const children = [];
		if (row) children.push(make("b", {}, row.path + (row.signal?.span ?? "")));
		for (const {name, cycle} of row ? cursors : []) {
			const list = make("dl", {}, make("dt", {}, "cursor"), make("dd", {}, `${name.toUpperCase()}: ${cycle}`));
			if (row.kind == "lane") list.append(make("dt", {}, "value"), make("dd", {}, valueOf(row, cycle).text || "-"));
			const value = row.trace?.at(cycle);
			for (const [radix, words] of Object.entries(value ? radixes : {})) {
				if (radix == "board" || !fits(radix, row.signal)) continue;
				list.append(make("dt", {}, words), make("dd", {}, format(value, radix, row.signal)));
			}
			children.push(list);
			if (value && fits("board", row.signal)) children.push(board(value, `${row.label} at cursor ${name.toUpperCase()} as a board`));
		}
		if (!row || cursors.length == 0) children.push(make("p", {}, "Select a signal, and put a cursor into a cycle, to see its value in each notation."));
		this.element.replaceChildren(...children);
	}
}

function board(value, name) {
	const element = make("div", {className: "wave-board", role: "img", "aria-label": name});
	for (let rank = 7; rank >= 0; rank--) {
		for (let file = 0; file < 8; file++) element.append(make("i", {className: "s" + square(value, 8 * rank + file), title: "abcdefgh"[file] + (rank + 1)}));
	}
	return element;
}

export class Table {
	constructor(cycleName) {
		this.cycleName = cycleName;
		this.box = make("div", {className: "box"});
		this.element = make("details", {className: "wave-more"}, make("summary", {}, "Values at the cursors as a table"), this.box);
		this.element.addEventListener("toggle", () => this.onopen?.());
	}

	update(rows, cursors) {
		if (!this.element.open) return;
		const head = make("tr", {}, make("th", {scope: "col"}, "signal"));
		for (const c of cursors) head.append(make("th", {scope: "col"}, `${c.name.toUpperCase()}: ${this.cycleName} ${c.cycle}`));
		const body = make("tbody");
		for (const row of rows) {
			if (row.kind == "group") continue;
			const line = make("tr", {}, make("th", {scope: "row"}, row.path));
			for (const c of cursors) line.append(make("td", {}, valueOf(row, c.cycle).text));
			body.append(line);
		}
		this.box.replaceChildren(make("table", {}, make("thead", {}, head), body));
	}
}

const keys = [
	["← →", "cursor A by a cycle; with Shift, cursor B"],
	["Ctrl ← →", "cursor A to the selected signal's last or next change"],
	["↑ ↓", "select a signal; with Alt, move it"],
	["Page Up, Page Down", "move by half a window"], ["Home, End", "first and last cycle"],
	["+ −", "zoom; also Ctrl and the wheel, or two fingers"], ["0", "everything"],
	["r", "next notation of the selected signal"], ["Delete", "take the selected signal off"],
	["b", "put cursor B where A is; again, to remove it"], ["g", "go to a cycle"], ["/", "search all signals"],
	["click", "cursor A; with Shift, cursor B"], ["drag", "move; in the axis, choose what to see; a cursor by its line"],
];

export function help() {
	const body = make("tbody");
	for (const [key, what] of keys) body.append(make("tr", {}, make("th", {scope: "row"}, make("kbd", {}, key)), make("td", {}, what)));
	return make("details", {className: "wave-more"}, make("summary", {}, "Keys and mouse"), make("div", {className: "box"}, make("table", {}, body)));
}
