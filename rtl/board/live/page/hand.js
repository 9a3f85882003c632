// The hands: mouse, fingers and keys lift pieces and put them down.

import { el } from "./live.js";
import { draw } from "./pieces.js";

/** What the keys and the mouse do, for the person. */
const keys = [
  ["drag", "lifts a piece and puts it down, beside the board too"], ["Shift + drop", "keeps it in hand"], ["right click, k", "knocks it over"],
  ["arrows", "go over the squares"], ["Enter", "lifts the piece, or puts down the one in hand"], ["Shift + Enter", "lifts a second piece"],
  ["Del", "puts it beside the board"], ["Esc", "puts it back"], ["Q R B N", "say what a pawn becomes"], ["e2e4, Nf3", "writes a move, which is then carried out"], ["Space, .", "outside the board: run or pause, step"],
];

/** The keys for what a pawn becomes. */
const choices = { q: "queen", r: "rook", b: "bishop", n: "knight" };

export class Hand {
  changed = () => {};
  #wanted = new Map(); // piece → where it was put, until the server says so too
  #dragged = new Map(); // pointer → {id, kind, from, ghost}
  #origins = new Map(); // piece → the square that it was lifted from

  constructor(grid, view, ask) {
    Object.assign(this, { grid, view, ask });
    const board = grid.element;
    board.addEventListener("pointerdown", (e) => this.#press(e));
    board.addEventListener("contextmenu", (e) => this.#context(e));
    addEventListener("pointermove", (e) => this.#drag(e));
    addEventListener("pointerup", (e) => this.#release(e));
    addEventListener("pointercancel", (e) => this.#release(e));
    board.addEventListener("keydown", (e) => this.#key(e));
    this.#form();
  }

  /** Where a piece is, as the person sees it: what was done last counts at once. */
  placeOf(p) {
    return this.#wanted.get(p.id) ?? p.at;
  }

  /** The server's pieces have come. What it agrees with needs no memory. */
  arrived() {
    for (const p of this.view.pieces) if (this.#wanted.get(p.id) === p.at) this.#wanted.delete(p.id);
  }

  #piece(id) {
    return this.view.pieces.find((p) => p.id === id);
  }

  #on(square) {
    return this.view.pieces.find((p) => this.placeOf(p) === square);
  }

  held() {
    return this.view.pieces.filter((p) => this.placeOf(p) === "hand");
  }

  move(id, to) {
    const p = this.#piece(id);
    if (!p) return Promise.resolve();
    if (to === "hand" && this.placeOf(p) !== "hand") this.#origins.set(id, this.placeOf(p));
    const other = to.length === 2 ? this.#on(to) : null;
    if (other && other.id !== id) this.#wanted.set(other.id, "beside");
    this.#wanted.set(id, to);
    this.changed();
    return this.ask("move", { id, to }).then(() => {
      // If it was refused, the piece goes back to where the server has it.
      setTimeout(() => {
        if (this.#wanted.get(id) !== to) return;
        this.#wanted.delete(id);
        if (other) this.#wanted.delete(other.id);
        this.changed();
      }, 150);
    });
  }

  // ---------------------------------------------------------------- mouse and fingers

  #press(e) {
    const square = e.target.closest("[data-square]")?.dataset.square;
    if (!square || e.button !== 0) return;
    e.preventDefault();
    this.grid.focus(square);
    const p = this.#on(square);
    if (p) this.#grab(e, p);
    else if (this.held().length > 0 && this.#dragged.size === 0) this.move(this.held().at(-1).id, square);
  }

  /** Lets a piece that is on no square be dragged, or lifted by a key. */
  loose(button, p) {
    button.addEventListener("pointerdown", (e) => {
      if (e.button === 0) this.#grab(e, p);
    });
    button.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== " ") return;
      e.preventDefault();
      this.move(p.id, this.placeOf(p) === "hand" ? "beside" : "hand");
      this.grid.focus(this.grid.focused);
    });
  }

  #grab(e, p) {
    if (this.held().length >= 2 && this.placeOf(p) !== "hand") return this.move(p.id, "hand"); // the server says why not
    e.preventDefault();
    if (e.target.hasPointerCapture?.(e.pointerId)) e.target.releasePointerCapture(e.pointerId);
    const ghost = el("div", { class: "ghost", "aria-hidden": "true" }, draw(p.kind));
    const size = this.grid.squares.get("a1").cell.getBoundingClientRect().width;
    ghost.style.width = ghost.style.height = `${size}px`;
    document.body.append(ghost);
    this.#dragged.set(e.pointerId, { id: p.id, ghost });
    document.body.classList.add("dragging");
    this.#drag(e);
    if (this.placeOf(p) !== "hand") this.move(p.id, "hand");
  }

  #drag(e) {
    const d = this.#dragged.get(e.pointerId);
    if (d) d.ghost.style.transform = `translate(${e.clientX}px, ${e.clientY}px) translate(-50%, -60%)`;
  }

  #release(e) {
    const d = this.#dragged.get(e.pointerId);
    if (!d) return;
    this.#dragged.delete(e.pointerId);
    d.ghost.remove();
    if (this.#dragged.size === 0) document.body.classList.remove("dragging");
    const under = document.elementFromPoint(e.clientX, e.clientY);
    if (e.shiftKey || under?.closest?.("#hand") || e.type === "pointercancel") return this.changed(); // it stays in hand
    const square = this.grid.at(e.clientX, e.clientY);
    if (square) this.grid.focus(square);
    this.move(d.id, square ?? "beside");
  }

  #context(e) {
    const square = e.target.closest("[data-square]")?.dataset.square;
    if (!square) return;
    e.preventDefault();
    this.#knock(square);
  }

  #knock(square) {
    const p = this.#on(square);
    if (p) this.ask("knock", { id: p.id });
  }

  // ---------------------------------------------------------------- keys

  #key(e) {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const square = this.grid.focused;
    const held = this.held();
    const last = held.at(-1);
    const p = this.#on(square);
    if (e.key === "Enter" || e.key === " ") {
      if (p && (held.length === 0 || e.shiftKey)) this.move(p.id, "hand");
      else if (last) this.move(last.id, square);
    } else if (e.key === "Delete" || e.key === "Backspace") {
      if (last) this.move(last.id, "beside");
      else if (p) this.move(p.id, "hand").then(() => this.move(p.id, "beside"));
    } else if (e.key === "Escape") {
      if (last) this.move(last.id, this.#origins.get(last.id) ?? "beside");
    } else if (this.view.rules?.choose && choices[e.key.toLowerCase()]) {
      this.ask("press", { button: choices[e.key.toLowerCase()] });
    } else if (e.key === "k") {
      this.#knock(square);
    } else if (/^[a-hKQRBNO]$/.test(e.key)) {
      this.text.value = e.key;
      this.text.focus();
    } else return;
    e.preventDefault();
  }

  #form() {
    this.text = el("input", { id: "move-text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "e2e4, Nf3", "aria-label": "Move to carry out" });
    const form = el("form", { class: "write" }, this.text, el("button", { type: "submit" }, "Move"));
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const text = this.text.value.trim();
      if (text === "") return;
      this.text.value = "";
      this.ask("carry", { text });
      this.grid.focus(this.grid.focused);
    });
    this.text.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      this.text.value = "";
      this.grid.focus(this.grid.focused);
    });
    const help = el("dl");
    for (const [key, what] of keys) help.append(el("dt", {}, key), el("dd", {}, what));
    const more = el("details", {}, el("summary", {}, "Keys and mouse"), el("div", { class: "keys panel", id: "keys" }, help));
    this.grid.element.after(el("div", { class: "below" }, form, more));
  }
}
