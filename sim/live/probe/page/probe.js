// The inside of a design on a page: signals by name, a trigger, waves. See package probe.
import { el, problem, setText } from "./live.js";
import { chosenRadix, valueRow } from "./value-row.js";
import { read, show } from "./values.js";
import { Waveforms } from "./waveforms.js";

export class Probe {
  #watched = new Map(); // name → row
  #asked = 0; // searches
  #trigger = null;

  /** Puts signals and trigger into one element, and waves into another. */
  constructor(panel, waves, link) {
    this.link = link;
    this.act = (name, args) => link.do(name, args).catch(problem);
    this.waves = new Waveforms(waves, this.act);
    const title = panel.getAttribute("aria-labelledby");
    this.table = el("table", { id: "watched", class: "values", "aria-labelledby": title }, el("tbody"));
    panel.append(el("h2", { id: title }, "Signals inside"), this.table, this.#searchForm(), this.#triggerForm());
  }

  /** Takes what does not change of a design: see About of package probe. */
  describe(about) {
    this.about = about;
    this.#watched.clear();
    this.table.tBodies[0].replaceChildren();
    setText(this.label, `Find one of ${about.signals.length} signals to add`);
    this.waves.describe(about);
  }

  /** Shows {watched, trigger, wave, busy}. Mine: this viewer has the hand. Fresh: it is new. */
  show(state, mine, fresh) {
    if (fresh && state.wave) this.waves.receive(state.wave);
    this.waves.allow(mine && !state.busy);
    this.#trigger = state.trigger;
    this.#show(state.watched, mine);
    setText(this.arm, state.trigger ? "Disarm" : "Arm");
    setText(this.armed, state.trigger ? `Pauses when ${state.trigger.name} gets ${show(state.trigger.value, "hex")}.` : "");
    this.arm.disabled = !mine;
  }

  #show(list, mine) {
    this.list = list;
    for (const [name, w] of this.#watched) {
      if (list.some((x) => x.name === name)) continue;
      w.row.remove();
      this.#watched.delete(name);
    }
    for (const x of list) {
      let w = this.#watched.get(x.name);
      if (!w) {
        const remove = el("button", { type: "button", class: "small", "aria-label": `Remove ${x.name}`, title: "Remove", onclick: () => this.act("unwatch", { name: x.name }) }, "×");
        w = valueRow(this.about.top, x.name, x.value.length, { names: this.about.looks?.[x.name]?.names, more: el("td", {}, remove) });
        w.remove = remove;
        this.#watched.set(x.name, w);
        this.table.tBodies[0].append(w.row);
      }
      w.update(x.value);
      w.remove.disabled = !mine;
    }
    const names = [...this.about.outputs.map((p) => p.name), ...list.map((x) => x.name), ...this.about.inputs.map((p) => p.name)];
    if ([...this.signal.options].map((o) => o.value).join() === names.join()) return;
    const now = this.signal.value;
    this.signal.replaceChildren(...names.map((n) => el("option", { value: n }, n)));
    if (names.includes(now)) this.signal.value = now;
  }

  #searchForm() {
    this.label = el("label", { for: "query", id: "query-label" }, "Find a signal to add");
    this.query = el("input", { type: "search", id: "query", autocomplete: "off", spellcheck: "false" });
    this.found = el("ul", { id: "found", "aria-label": "Signals found" });
    this.more = el("p", { id: "more", class: "faint", role: "status" });
    const form = el("form", { id: "search", role: "search" }, this.label, this.query, this.found, this.more);
    this.query.addEventListener("input", () => this.#search());
    form.addEventListener("submit", async (e) => {
      e.preventDefault();
      await this.#search();
      const query = this.query.value.trim();
      const first = this.found.querySelector("button");
      // A word of a memory is not in the list: mem[3].
      if (/\]$/.test(query)) this.#add(query);
      else if (first) this.#add(first.textContent);
    });
    return form;
  }

  async #search() {
    const mine = ++this.#asked;
    const query = this.query.value.trim();
    if (query === "") {
      this.found.replaceChildren();
      setText(this.more, "");
      return;
    }
    try {
      const { signals, more } = await this.link.do("view.search", { query });
      if (mine !== this.#asked) return;
      this.found.replaceChildren(...signals.map((name) => el("li", {}, el("button", { type: "button", class: "mono", "aria-label": `Add ${name}`, onclick: () => this.#add(name) }, name))));
      setText(this.more, more ? `and ${more} more: write more of the name` : signals.length === 0 ? "No signal has this in its name." : "");
    } catch (e) {
      problem(e);
    }
  }

  async #add(name) {
    await this.act("watch", { name });
    this.query.value = "";
    this.query.focus();
    this.#search();
  }

  #triggerForm() {
    this.signal = el("select", { id: "trigger-name", "aria-label": "Signal of the trigger" });
    this.value = el("input", { id: "trigger-value", "aria-label": "Value of the trigger", size: "10", autocomplete: "off", spellcheck: "false" });
    this.arm = el("button", { type: "submit", id: "trigger-arm" }, "Arm");
    this.armed = el("p", { id: "trigger-armed", role: "status" });
    const form = el("form", { id: "trigger", "aria-labelledby": "trigger-title" }, el("h3", { id: "trigger-title" }, "Pause when"), el("div", { class: "row" }, this.signal, el("span", {}, "is"), this.value, this.arm), this.armed);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      if (this.#trigger) {
        this.act("trigger", {});
        return;
      }
      const name = this.signal.value;
      const width = [...this.about.inputs, ...this.about.outputs].find((p) => p.name === name)?.width ?? this.list.find((w) => w.name === name)?.value.length;
      try {
        this.act("trigger", { name, value: read(this.value.value, chosenRadix(this.about.top, name), width, true) });
      } catch (error) {
        problem(error);
      }
    });
    return form;
  }
}
