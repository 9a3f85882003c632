// The waves of the page: package wave's viewer, which is told what the server sends.
import { Waves } from "./js/wave.js";

const groups = { input: "inputs", output: "outputs", signal: "signals inside" };

export class Waveforms {
  #waves;
  #kinds = new Map(); // of what has changes, by path
  #looks = {}; // how signals are shown, by name

  /** act asks the server for something, and says what went wrong. */
  constructor(element, act) {
    this.element = element;
    this.act = act;
  }

  /** Takes what does not change of a design. */
  describe(about) {
    this.#looks = about.looks ?? {};
    const time = about.period ? (cycle) => about.edge + cycle * about.period : undefined;
    if (this.#waves && this.top === about.top) {
      this.#waves.time = time; // the page is back at its server, or the clock has another period
      return;
    }
    this.top = about.top;
    const options = {
      limit: 1 << 17,
      time,
      onshow: (path) => this.#kinds.has(path) || this.act("watch", { name: this.#name(path) }),
      onhide: (path) => this.#kinds.get(path) === "signal" && this.act("unwatch", { name: this.#name(path) }),
    };
    this.#waves = this.element.waves = new Waves(this.element, options);
    for (const p of about.inputs) this.#add(p, "input");
    for (const p of about.outputs) this.#add(p, "output");
    for (const name of about.signals) this.#waves.addSignal({ path: this.#path(name) });
  }

  #path(name) {
    return `${this.top}.${name}`;
  }

  #name(path) {
    return path.slice(this.top.length + 1);
  }

  #add({ name, width }, kind) {
    const path = this.#path(name);
    this.#kinds.set(path, kind);
    if (!this.#waves.signals.has(path)) this.#waves.addSignal({ path, width });
    this.#waves.resize(path, width);
    const look = this.#looks[name];
    if (look) Object.assign(this.#waves.signals.get(path), look, { radix: look.radix ?? "names" });
    this.#waves.show(path, groups[kind]);
  }

  /** Takes what is new. */
  receive(wave) {
    if (wave.anew) {
      this.#waves.begin(wave.from);
      const now = new Set(wave.signals.map((s) => this.#path(s.name)));
      for (const [path, kind] of this.#kinds) {
        if (now.has(path) || kind !== "signal") continue;
        this.#kinds.delete(path);
        this.#waves.hide(path, false);
      }
      for (const s of wave.signals) if (!this.#kinds.has(this.#path(s.name))) this.#add(s, "signal");
    }
    for (const s of wave.signals) {
      const path = this.#path(s.name);
      for (let i = 0; i < s.changes.length; i += 2) this.#waves.append(path, s.changes[i], s.changes[i + 1]);
    }
    this.#waves.extend(wave.to);
  }

  /** Sets whether signals can be added and removed here. */
  allow(may) {
    this.#waves.tree.list.toggleAttribute("inert", !may);
  }
}
