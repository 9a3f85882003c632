// A board on which a position is set up: by dragging, and by keys.
import { el } from "./live.js";
import { draw, nameOf } from "./pieces.js";

const files = "abcdefgh";
const kinds = "KQRBNPkqrbnp";

export class Setup {
  #cells = [];
  #pieces = Array(64).fill(""); // a1 first, letters of FEN
  #focused = 4;
  #held = null; // {kind, from}: picked up by a key, or chosen beside the board
  #drag = null;

  /** changed(placement) is called with the first field of a FEN when a person has moved a piece. */
  constructor(board, palette, changed) {
    this.changed = changed;
    this.grid = el("div", { role: "grid", "aria-label": "Board", "aria-describedby": "keys", class: "grid" });
    for (let rank = 7; rank >= 0; rank--) {
      const row = el("div", { role: "row" });
      row.append(el("span", { class: "rank", "aria-hidden": "true" }, String(rank + 1)));
      for (let file = 0; file < 8; file++) {
        const n = 8 * rank + file;
        const cell = el("div", { role: "gridcell", tabindex: "-1", class: `square ${(rank + file) % 2 ? "light" : "dark"}`, "data-square": files[file] + (rank + 1) });
        cell.addEventListener("focus", () => this.#focus(n, false));
        cell.addEventListener("pointerdown", (e) => this.#press(e, n));
        this.#cells[n] = cell;
        row.append(cell);
      }
      this.grid.append(row);
    }
    this.grid.append(el("div", { class: "files", "aria-hidden": "true" }, el("span"), ...[...files].map((f) => el("span", {}, f))));
    this.grid.addEventListener("keydown", (e) => this.#key(e));
    board.append(this.grid);
    for (const kind of kinds) {
      const button = el("button", { type: "button", "aria-label": nameOf(kind), "aria-pressed": "false", "data-kind": kind, onclick: () => this.#choose(kind) }, draw(kind));
      button.addEventListener("pointerdown", (e) => this.#lift(e, kind, null));
      palette.append(button);
    }
    this.palette = palette;
    addEventListener("pointermove", (e) => this.#moved(e));
    addEventListener("pointerup", (e) => this.#released(e));
    addEventListener("pointercancel", () => this.#drop());
    this.#focus(4, false);
    for (let n = 0; n < 64; n++) this.#paint(n);
  }

  /** Shows the first field of a FEN. */
  show(placement) {
    const pieces = Array(64).fill("");
    placement.split("/").forEach((row, i) => {
      let at = 8 * (7 - i);
      for (const c of row) {
        if (c >= "1" && c <= "8") at += Number(c);
        else pieces[at++] = c;
      }
    });
    pieces.forEach((p, n) => {
      if (p === this.#pieces[n]) return;
      this.#pieces[n] = p;
      this.#paint(n);
    });
  }

  /** Marks squares: 64 digits, a1 first, or "". */
  mark(squares, name) {
    this.#cells.forEach((cell, n) => {
      const on = squares[n] === "1";
      cell.classList.toggle("marked", on);
      cell.dataset.mark = on ? name : "";
      this.#label(n);
    });
  }

  /** Shows a move by its squares, such as e2e4, or none. */
  arrow(uci) {
    for (const cell of this.#cells) cell.classList.toggle("moved", uci !== "" && (uci.slice(0, 2) === cell.dataset.square || uci.slice(2, 4) === cell.dataset.square));
  }

  #label(n) {
    const p = this.#pieces[n];
    const cell = this.#cells[n];
    const text = [cell.dataset.square, p ? nameOf(p) : "empty", cell.dataset.mark].filter(Boolean).join(", ");
    if (cell.getAttribute("aria-label") !== text) cell.setAttribute("aria-label", text);
  }

  #paint(n) {
    const p = this.#pieces[n];
    this.#cells[n].replaceChildren(...(p ? [draw(p)] : []));
    this.#label(n);
  }

  #focus(n, really = true) {
    this.#cells[this.#focused].tabIndex = -1;
    this.#focused = n;
    this.#cells[n].tabIndex = 0;
    if (really) this.#cells[n].focus();
  }

  #put(n, kind) {
    if (this.#pieces[n] === kind) return;
    this.#pieces[n] = kind;
    this.#paint(n);
  }

  #tell() {
    let text = "";
    for (let rank = 7; rank >= 0; rank--) {
      let empty = 0;
      for (let file = 0; file < 8; file++) {
        const p = this.#pieces[8 * rank + file];
        if (p && empty) text += empty;
        if (p) [text, empty] = [text + p, 0];
        else empty++;
      }
      text += (empty || "") + (rank ? "/" : "");
    }
    this.changed(text);
  }

  #choose(kind) {
    this.#held = this.#held?.kind === kind && this.#held.from === null ? null : { kind, from: null };
    for (const b of this.palette.children) b.setAttribute("aria-pressed", String(this.#held?.from === null && b.dataset.kind === this.#held.kind));
  }

  #key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const n = this.#focused;
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: [-7, 0], End: [7, 0] }[e.key];
    if (by) {
      const within = (x) => Math.min(7, Math.max(0, x));
      this.#focus(8 * within((n >> 3) + by[1]) + within((n & 7) + by[0]));
    } else if (e.key === "Delete" || e.key === "Backspace") {
      this.#put(n, "");
      this.#tell();
    } else if (kinds.includes(e.key)) {
      this.#put(n, e.key);
      this.#tell();
    } else if (e.key === "Enter" || e.key === " ") {
      const held = this.#held;
      if (!held) {
        if (this.#pieces[n]) this.#held = { kind: this.#pieces[n], from: n };
        this.#cells[n].classList.toggle("held", Boolean(this.#held));
      } else {
        if (held.from !== null) {
          this.#cells[held.from].classList.remove("held");
          this.#put(held.from, "");
          this.#held = null;
        }
        this.#put(n, held.kind);
        this.#tell();
      }
    } else if (e.key === "Escape") {
      for (const cell of this.#cells) cell.classList.remove("held");
      this.#held = null;
      for (const b of this.palette.children) b.setAttribute("aria-pressed", "false");
    } else return;
    e.preventDefault();
  }

  #press(e, n) {
    if (e.button !== 0) return;
    if (this.#held?.from === null) {
      this.#put(n, this.#held.kind);
      this.#tell();
    } else if (this.#pieces[n]) this.#lift(e, this.#pieces[n], n);
  }

  #lift(e, kind, from) {
    if (e.button !== 0) return;
    const ghost = el("div", { class: "ghost", hidden: true }, draw(kind));
    document.body.append(ghost);
    this.#drag = { kind, from, ghost, x: e.clientX, y: e.clientY, far: false };
  }

  #moved(e) {
    const d = this.#drag;
    if (!d) return;
    if (!d.far && Math.hypot(e.clientX - d.x, e.clientY - d.y) < 5) return;
    d.far = true;
    d.ghost.hidden = false;
    const size = this.#cells[0].offsetWidth;
    Object.assign(d.ghost.style, { width: `${size}px`, height: `${size}px`, left: `${e.clientX - size / 2}px`, top: `${e.clientY - size / 2}px` });
    if (d.from !== null) this.#cells[d.from].classList.add("held");
    e.preventDefault();
  }

  #released(e) {
    const d = this.#drag;
    this.#drop();
    if (!d?.far) return;
    const to = this.#cells.indexOf(document.elementFromPoint(e.clientX, e.clientY)?.closest("[data-square]"));
    if (to === d.from || (to < 0 && d.from === null)) return;
    if (d.from !== null) this.#put(d.from, "");
    if (to >= 0) {
      this.#put(to, d.kind);
      this.#focus(to);
    }
    this.#tell();
  }

  #drop() {
    this.#drag?.ghost.remove();
    if (this.#drag?.from != null) this.#cells[this.#drag.from].classList.remove("held");
    this.#drag = null;
  }
}
