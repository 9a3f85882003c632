// All signals by hierarchy, with a search: what is ticked is shown.
import {make} from "./dom.js";

const most = 200; // hits that a search lists

export class Tree {
	// show(path, on) is called when a signal is ticked or unticked, shown(path) tells whether it
	// is.
	constructor({show, shown}) {
		this.show = show;
		this.shown = shown;
		this.scopes = new Map();
		this.signals = [];
		this.search = make("input", {type: "search", placeholder: "search signals  ( / )", "aria-label": "search signals"});
		this.hits = make("p", {role: "status"});
		this.list = make("div", {});
		this.element = make("div", {className: "wave-tree", role: "group", "aria-label": "all signals", hidden: true}, this.search, this.hits, this.list);
		this.search.addEventListener("input", () => this.fill());
		this.search.addEventListener("keydown", e => {
			const first = this.list.querySelector("input");
			if (e.key == "Enter" && this.search.value && first) first.click();
		});
		this.root = scope("");
	}

	// add adds a signal. Its scopes are the parts of its path.
	add(signal) {
		this.signals.push(signal);
		const parts = signal.scopes;
		let at = this.root;
		for (const part of parts) {
			if (!at.scopes.has(part)) at.scopes.set(part, scope(part));
			at = at.scopes.get(part);
		}
		at.signals.push(signal);
		this.stale = true;
	}

	// update is called when the tree is seen, and something has changed.
	update() {
		if (this.element.hidden) return;
		if (this.stale) this.fill();
		for (const box of this.list.querySelectorAll("input")) box.checked = this.shown(box.value);
	}

	fill() {
		this.stale = false;
		const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
		this.list.replaceChildren();
		if (words.length == 0) {
			this.hits.textContent = `${this.signals.length} signals`;
			this.children(this.root, this.list, true);
			return;
		}
		const hits = this.signals.filter(s => words.every(w => s.path.toLowerCase().includes(w)));
		this.hits.textContent = `${hits.length} of ${this.signals.length}` + (hits.length > most ? `, the first ${most}` : "");
		for (const signal of hits.slice(0, most)) this.list.append(this.tick(signal, signal.path));
	}

	children(scope, into, open) {
		for (const signal of scope.signals) into.append(this.tick(signal, signal.name));
		for (const [name, inner] of scope.scopes) {
			const details = make("details", {}, make("summary", {}, name));
			let filled = false;
			const fill = () => {
				if (!filled && details.open) {
					filled = true;
					const inside = make("div");
					details.append(inside);
					this.children(inner, inside, inner.scopes.size == 1 && inner.signals.length == 0);
				}
			};
			details.addEventListener("toggle", fill);
			details.open = open;
			fill();
			into.append(details);
		}
	}

	tick(signal, text) {
		const box = make("input", {type: "checkbox", value: signal.path, checked: this.shown(signal.path)});
		box.addEventListener("change", () => this.show(signal.path, box.checked));
		return make("label", {title: signal.path}, box, text, make("span", {className: "span"}, signal.span));
	}
}

function scope(name) {
	return {name, scopes: new Map(), signals: []};
}
