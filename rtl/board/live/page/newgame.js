// The dialog that begins a game.

import { el } from "./live.js";

/** Asks who plays, and begins the game. */
export function newGame(view, ask) {
  const dialog = document.getElementById("new-game");
  const play = view.game?.play ?? { computer: "", level: 1600, seed: 1 };
  const select = (id, value, choices) => {
    const s = el("select", { id }, ...choices.map(([v, text]) => el("option", { value: v }, text)));
    s.value = String(value);
    return s;
  };
  const who = select("new-who", play.computer, [["", "Two people"], ["black", "You are White, the computer is Black"], ["white", "You are Black, the computer is White"]]);
  const levels = [800, 1200, 1600, 2000, 0];
  if (!levels.includes(play.level)) levels.unshift(play.level);
  const level = select("new-level", play.level, levels.map((n) => [n, n === 0 ? "as strong as it can be" : `Elo ${n}`]));
  const seed = el("input", { id: "new-seed", type: "number", min: "0", max: "4294967295", value: play.seed });
  const way = select("new-way", play.lines ? "lines" : "", [["", "the serial line"], ["lines", "the seven parallel lines"]]);
  const control = select("new-control", "", [["", "none"], ["bullet", "bullet, 1 min"], ["blitz", "blitz, 5 min"], ["rapid", "rapid, 10 min"], ["classical", "classical, 30 min"]]);
  const increment = el("input", { id: "new-increment", type: "number", min: "0", max: "99", value: "0" });
  const line = (text, input) => el("label", {}, el("span", {}, text), input);
  const form = el("form", { method: "dialog" },
    el("h2", { id: "new-title" }, "New game"),
    line("Who plays", who), line("Strength of the computer", level), line("Its seed", seed), line("Its moves come over", way),
    line("Time control", control), line("Seconds after each move", increment),
    el("div", { class: "row" }, el("button", { id: "new-begin", type: "submit", class: "primary", value: "play" }, "Begin"), el("button", { type: "submit", value: "" }, "Cancel")));
  form.addEventListener("submit", (e) => {
    if (e.submitter?.value !== "play") return;
    const nodes = play.nodes ? { nodes: play.nodes } : {};
    ask("new", { play: { computer: who.value, level: Number(level.value), seed: Number(seed.value), lines: who.value !== "" && way.value === "lines", ...nodes } });
    if (control.value) ask("clock", { control: control.value, increment: Number(increment.value) });
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
