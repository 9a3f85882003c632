// The page of the sensing board: what the server's state says, and what a person does.

import { Link, controls, el, problem, setText } from "./live.js";
import { Grid } from "./grid.js";
import { Hand } from "./hand.js";
import { draw, nameOf } from "./pieces.js";
import { panels } from "./panels.js";
import { Probe } from "./probe.js";

const $ = (id) => document.getElementById(id);

const link = new Link();
controls($("controls"), link);

/** The newest of each part of the state. The server sends the parts that have changed. */
const view = { pieces: [], leds: [], heard: [] };

/** Asks the server for something, and shows what is wrong. */
const ask = (name, args) => link.do(name, args).catch(problem);

const grid = new Grid($("frame"));
const hand = new Hand(grid, view, ask);
const more = panels($("tabs"), $("panels"), view, ask, grid);

// What the board says.
const buttons = [["queen", "Queen", "↑"], ["rook", "Rook", "→"], ["bishop", "Bishop", "←"], ["knight", "Knight", "↓"]];
for (const [button, name, arrow] of buttons) {
  $("choose").append(el("button", { type: "button", onclick: () => ask("press", { button }) }, `${arrow} ${name}`));
}

function verdict(r) {
  document.body.dataset.state = r.state;
  setText($("state"), `FSM: ${r.state}`);
  setText($("title"), r.title);
  setText($("text"), r.text);
  const shown = [...$("mend").children].map((li) => li.textContent).join("\n");
  if (shown !== r.mend.join("\n")) $("mend").replaceChildren(...r.mend.map((m) => el("li", {}, m)));
  $("choose").hidden = !r.choose;
}

function clocks() {
  const { clock, game } = view;
  if (!clock || !game) return;
  for (const side of ["white", "black"]) {
    const face = $(`clock-${side}`);
    const computer = game.play.computer === side || game.play.computer === "both";
    const level = game.play.level === 0 ? "full strength" : game.play.level;
    setText(face.querySelector(".who"), `${side === "white" ? "White" : "Black"} · ${computer ? `computer, ${level}` : "you"}`);
    setText(face.querySelector(".time"), clock[side]);
    face.classList.toggle("turn", game.result === "*" && game.turn === side);
    face.classList.toggle("runs", clock.state === "running" && clock.turn === side);
  }
}

// Pieces that are on no square.
function trays() {
  for (const [place, parent] of [["hand", $("in-hand")], ["beside", $("off-board")]]) {
    const here = view.pieces.filter((p) => hand.placeOf(p) === place);
    const key = here.map((p) => p.id + p.kind).join();
    if (parent.dataset.key === key) continue;
    parent.dataset.key = key;
    const focused = document.activeElement?.dataset?.piece;
    parent.replaceChildren(...here.map((p) => {
      const b = el("button", { type: "button", class: "loose", "data-piece": p.id, "aria-label": `${nameOf(p.kind)}, ${place === "hand" ? "in hand" : "beside the board"}` }, draw(p.kind));
      hand.loose(b, p);
      return b;
    }));
    if (focused) parent.querySelector(`[data-piece="${focused}"]`)?.focus();
  }
}

// The inside of the RTL, which is sent only to those who look at it.
let probe = null;
let problems = 0;
const look = () => ask("view.inside", { on: $("inside").open });
$("inside").addEventListener("toggle", () => {
  if ($("inside").open) probe ??= new Probe($("probe"), $("waves"), link);
  look();
});

function inside(now, mine, fresh) {
  if (fresh && now.about) {
    problems = now.problems;
    probe.describe(now.about);
  }
  if (!probe.about) return;
  probe.show(now, mine, fresh);
  if (now.problems !== problems) {
    problems = now.problems;
    problem(now.problem);
  }
}

let connected = false;
link.listen(() => {
  const mine = link.connected && link.live?.hand !== "other";
  if (!link.fresh) {
    connected = false;
    if (probe && view.inside) inside(view.inside, mine, false);
    return;
  }
  const { heard, ...parts } = link.state;
  const anew = !connected; // a new connection, on which the server tells all
  connected = true;
  if (anew && probe) look();
  Object.assign(view, parts);
  view.heard = [...(anew ? [] : view.heard), ...(heard ?? [])].slice(-200);
  if (parts.rules) verdict(view.rules);
  if (parts.leds) grid.light(view.leds);
  if (parts.faults) grid.broken(view.faults);
  if (parts.pieces) hand.arrived();
  if (parts.clock || parts.game) clocks();
  grid.pieces(view.pieces, (p) => hand.placeOf(p));
  trays();
  more.show(parts, anew ? undefined : heard, anew);
  if (probe && parts.inside) inside(parts.inside, mine, true);
});
hand.changed = () => {
  grid.pieces(view.pieces, (p) => hand.placeOf(p));
  trays();
};
