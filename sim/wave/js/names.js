// The column of names and values, which is a list for screen readers and the keyboard, too.
import {format} from "./values.js";
import {make} from "./dom.js";

export const heights = {group: 22, signal: 26, lane: 26, board: 84};

let lists = 0;

export class Names {
	constructor({select, toggle}) {
		this.select = select;
		this.toggle = toggle;
		this.id = `wave-${++lists}-`;
		this.element = make("div", {className: "wave-names", role: "listbox", tabIndex: 0, "aria-label": "signals and their values at cursor A"});
		this.element.addEventListener("click", e => {
			const row = this.rows?.[Number(e.target.closest("[data-row]")?.dataset.row ?? -1)];
			if (row?.kind == "group") this.toggle(row.group);
			else if (row) this.select(row);
		});
	}

	// fill makes the list anew.
	fill(rows) {
		this.rows = rows;
		this.chosen = undefined;
		let into = this.element;
		const children = [];
		rows.forEach((row, i) => {
			const size = element => {
				element.style.height = row.height + "px";
				element.dataset.row = i;
				return element;
			};
			if (row.kind == "group") {
				const name = size(make("div", {className: "wave-group", id: this.id + "g" + i}, (row.closed ? "▸ " : "▾ ") + row.group));
				into = make("div", {role: "group", "aria-labelledby": name.id}, name);
				children.push(into);
				return;
			}
			row.value = make("span", {className: "value"});
			const name = make("span", {title: row.path}, row.label, make("span", {className: "span"}, row.signal?.span ?? ""));
			row.element = size(make("div", {className: "wave-name" + (row.bad ? " bad" : ""), role: "option", "aria-selected": "false", id: this.id + i}, name, row.value));
			row.text = null;
			if (row.group) into.append(row.element);
			else children.push(row.element);
		});
		this.element.replaceChildren(...children);
	}

	// update writes the values of the rows that are seen.
	update(rows, cycle, selected) {
		this.element.dataset.head = cycle === null ? "signal" : `value in ${this.cycleName} ${cycle}`;
		for (const row of rows) {
			if (!row.element) continue;
			const {text, unknown} = valueOf(row, cycle);
			if (row.text !== text) row.value.textContent = row.text = text;
			row.value.classList.toggle("unknown", unknown);
		}
		if (this.chosen == selected?.element) return;
		this.chosen?.setAttribute("aria-selected", "false");
		this.chosen = selected?.element;
		this.chosen?.setAttribute("aria-selected", "true");
		if (this.chosen) this.element.setAttribute("aria-activedescendant", this.chosen.id);
		else this.element.removeAttribute("aria-activedescendant");
	}
}

// valueOf returns what a row has in a cycle.
export function valueOf(row, cycle) {
	if (cycle === null) return {text: "", unknown: false};
	if (row.kind == "lane") return {text: row.lane.spans.findLast(s => s.from <= cycle && cycle <= s.to)?.text ?? "", unknown: false};
	const value = row.trace?.at(cycle);
	if (!value) return {text: "", unknown: false};
	return {text: format(value, row.radix == "board" ? "hex" : row.radix, row.signal), unknown: Boolean(value.unknown)};
}
