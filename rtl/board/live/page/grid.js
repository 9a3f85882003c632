// The 64 squares: pieces and LEDs on them, and moving among them by keys.

import { el } from "./live.js";
import { draw, nameOf } from "./pieces.js";

const files = "abcdefgh";

/** Below this share of the time, of 1000, a LED is not seen. */
const dimmest = 2.5;

/** An LED blinks if it was lit and dark within so many milliseconds. */
const blink = 900;

export class Grid {
  squares = new Map(); // name → {cell, led, piece, label, lit, changed}
  focused = "e2";

  constructor(parent) {
    this.element = el("div", { role: "grid", "aria-label": "Squares", id: "board", "aria-describedby": "keys" });
    for (let rank = 8; rank >= 1; rank--) {
      const row = el("div", { role: "row" });
      row.append(el("span", { class: "rank", "aria-hidden": "true" }, String(rank)));
      for (let file = 0; file < 8; file++) row.append(this.#square(files[file] + rank, (file + rank) % 2 === 0 ? "light" : "dark"));
      this.element.append(row);
    }
    const letters = el("div", { class: "files", "aria-hidden": "true" }, el("span", {}));
    for (const f of files) letters.append(el("span", {}, f));
    this.element.append(letters);
    parent.append(this.element);
    this.element.addEventListener("keydown", (e) => this.#move(e));
    this.focus(this.focused, false);
    setInterval(() => this.#settle(), 300);
  }

  #square(name, shade) {
    const led = el("span", { class: "led", "aria-hidden": "true" });
    const cell = el("div", { role: "gridcell", class: `square ${shade}`, id: `square-${name}`, "data-square": name, tabindex: "-1" }, led);
    this.squares.set(name, { cell, led, piece: null, label: "", lit: false, changed: -Infinity, brightness: 0, fault: "" });
    cell.addEventListener("focus", () => this.#select(name));
    return cell;
  }

  #select(name) {
    this.squares.get(this.focused).cell.tabIndex = -1;
    this.focused = name;
    this.squares.get(name).cell.tabIndex = 0;
  }

  /** Makes a square the one that keys act on. */
  focus(name, really = true) {
    this.#select(name);
    if (really) this.squares.get(name).cell.focus();
  }

  #move(e) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-8, 0], End: [8, 0], PageUp: [0, 8], PageDown: [0, -8] };
    const step = steps[e.key];
    if (!step || e.ctrlKey || e.altKey || e.metaKey) return;
    const within = (n) => Math.min(7, Math.max(0, n));
    const file = within(files.indexOf(this.focused[0]) + step[0]);
    const rank = within(Number(this.focused[1]) - 1 + step[1]);
    this.focus(files[file] + (rank + 1));
    e.preventDefault();
  }

  /** The square under a point of the window. */
  at(x, y) {
    return document.elementFromPoint(x, y)?.closest?.("[data-square]")?.dataset.square ?? null;
  }

  /** Shows the pieces where they are. */
  pieces(pieces, placeOf) {
    const on = new Map();
    for (const p of pieces) on.set(placeOf(p), p);
    for (const [name, s] of this.squares) {
      const p = on.get(name) ?? null;
      const key = p ? `${p.id}${p.kind}${p.lying ?? ""}` : "";
      if ((s.cell.dataset.piece ?? "") === key) continue;
      s.cell.dataset.piece = key;
      s.piece = p;
      s.cell.querySelector(".piece")?.remove();
      if (p) {
        const svg = draw(p.kind);
        svg.classList.toggle("lying", Boolean(p.lying));
        s.cell.append(svg);
      }
      s.cell.classList.toggle("occupied", p !== null);
      this.#label(name);
    }
  }

  /** Shows the LEDs. leds has for each the share of the time for which it is lit, of 1000. */
  light(leds) {
    const now = performance.now();
    for (const [name, s] of this.squares) {
      const share = leds[files.indexOf(name[0]) + 8 * (name[1] - 1)];
      const lit = share >= dimmest;
      if (lit !== s.lit) {
        s.lit = lit;
        s.blinks = now - s.changed < blink;
        s.changed = now;
        s.cell.classList.toggle("lit", lit);
        this.#label(name);
      }
      // An eye sees a little light nearly as well as much.
      const brightness = lit ? Math.min(1, 0.6 + 0.4 * Math.sqrt(share / 60)).toFixed(2) : "0";
      if (brightness !== s.brightness) {
        s.brightness = brightness;
        s.led.style.setProperty("--brightness", brightness);
      }
    }
  }

  /** A LED that has stayed as it is does not blink. */
  #settle() {
    const now = performance.now();
    for (const [name, s] of this.squares) {
      if (s.blinks && now - s.changed >= blink) {
        s.blinks = false;
        this.#label(name);
      }
    }
  }

  /** Marks the squares with faults. */
  broken(faults) {
    const words = { stuck: "sensor stuck", dead: "sensor dead", bouncing: "sensor bouncing", dark: "LED broken" };
    for (const [name, s] of this.squares) {
      s.fault = Object.keys(words).filter((w) => faults[w].split(" ").includes(name)).map((w) => words[w]).join(", ");
      s.cell.classList.toggle("broken", s.fault !== "");
      this.#label(name);
    }
  }

  #label(name) {
    const s = this.squares.get(name);
    const piece = s.piece ? nameOf(s.piece.kind) + (s.piece.lying ? " lying" : "") : "empty";
    const led = s.blinks ? "LED blinking" : s.lit ? "LED on" : "LED off";
    const label = [name, piece, led, s.fault].filter(Boolean).join(", ");
    if (label === s.label) return;
    s.label = label;
    s.cell.setAttribute("aria-label", label);
  }
}
