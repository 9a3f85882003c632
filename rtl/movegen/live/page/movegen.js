// The page of the move generator: see package rtl/movegen/live.
import { Link, controls, countText, el, problem, setText } from "./live.js";
import { Setup } from "./setup.js";

const $ = (id) => document.getElementById(id);
const link = new Link();
controls($("controls"), link);
const act = (name, args) => link.do(name, args).catch(problem);

const initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
let state = null;
let chosen = sessionStorage.getItem("overlay") ?? "attacked";

async function position(fen) {
  try {
    await link.do("position", { fen });
    setText($("fen-error"), "");
  } catch (e) {
    setText($("fen-error"), e.message);
  }
}

/** The castling rights of a FEN that a placement still allows: king and rook are where they
 * began. */
function rights(placement, old) {
  const expand = (row) => row.replace(/\d/g, (n) => " ".repeat(n));
  const rows = placement.split("/").map(expand);
  const on = { K: rows[7][4] === "K" && rows[7][7] === "R", Q: rows[7][4] === "K" && rows[7][0] === "R", k: rows[0][4] === "k" && rows[0][7] === "r", q: rows[0][4] === "k" && rows[0][0] === "r" };
  return [...old].filter((c) => on[c]).join("") || "-";
}

const setup = new Setup($("board"), $("palette"), (placement) => {
  const [, side, castling] = state.fen.split(" ");
  position(`${placement} ${side} ${rights(placement, castling)} - 0 1`);
});

$("fen-form").addEventListener("submit", (e) => {
  e.preventDefault();
  position($("fen").value.trim());
});
$("start").addEventListener("click", () => position(initial));
$("side").addEventListener("click", () => {
  const [placement, side, castling] = state.fen.split(" ");
  position(`${placement} ${side === "w" ? "b" : "w"} ${castling} - 0 1`);
});
for (const id of ["order", "filter"]) {
  $(id).addEventListener("change", () => act("list", { order: $("order").selectedIndex, filter: $("filter").selectedIndex }));
}
$("again").addEventListener("click", () => act("restart"));
$("perft").addEventListener("submit", (e) => {
  e.preventDefault();
  if (state.perft?.running) act("stop");
  else act("perft", { depth: Number($("depth").value) });
});

/** Fills a table with rows of texts; of rows that are the same nothing is touched. */
function fill(body, rows) {
  while (body.rows.length > rows.length) body.lastElementChild.remove();
  rows.forEach((cells, i) => {
    const row = body.rows[i] ?? body.appendChild(el("tr", {}, ...cells.texts.map(() => el("td"))));
    cells.texts.forEach((t, k) => setText(row.cells[k], t));
    row.className = cells.kind;
    row.onmouseenter = cells.uci === undefined ? null : () => setup.arrow(cells.uci);
  });
}

function overlays() {
  const box = $("overlays");
  if (!box.children.length) {
    let stage = 0;
    for (const o of state.overlays) {
      if (o.stage !== stage) box.append(el("h3", {}, `Stage ${(stage = o.stage)}`));
      const radio = el("input", { type: "radio", name: "overlay", value: o.id, id: `overlay-${o.id}`, onchange: () => {
        chosen = o.id;
        sessionStorage.setItem("overlay", chosen);
        overlays();
      } });
      radio.checked = o.id === chosen;
      box.append(el("label", { for: `overlay-${o.id}` }, radio, el("span", {}, o.name), el("span", { class: "squares" })));
    }
    const none = el("input", { type: "radio", name: "overlay", value: "", id: "overlay-", onchange: () => {
      chosen = "";
      sessionStorage.setItem("overlay", chosen);
      overlays();
    } });
    none.checked = chosen === "";
    box.append(el("label", { for: "overlay-" }, none, el("span", {}, "none")));
  }
  for (const o of state.overlays) {
    const count = [...o.squares].filter((c) => c === "1").length;
    setText($(`overlay-${o.id}`).parentElement.querySelector(".squares"), o.squares === "" ? "not yet" : String(count));
  }
  const now = state.overlays.find((o) => o.id === chosen);
  setup.mark(now?.squares ?? "", now?.name ?? "");
  setText($("signals"), now ? now.signals.join(" | ") : "");
}

function figures() {
  const last = state.beats.at(-1);
  const facts = [
    ["cycle", state.cycle < 0 ? "not taken yet" : String(state.cycle)],
    ["listed", `${state.beats.filter((b) => b.uci !== "-").length} of ${state.reference.length}`],
    ["count_o", state.count ? `${state.count.value} in cycle ${state.count.cycle}` : "-"],
    ["check", state.count ? (state.count.check ? "yes" : "no") : "-"],
    ["last move in cycle", state.done ? String(last.cycle) : "-"],
    ["published generator", `${state.published} cycles`],
  ];
  const box = $("figures");
  if (!box.children.length) for (const [name] of facts) box.append(el("div", {}, el("dt", {}, name), el("dd")));
  facts.forEach(([, value], i) => setText(box.children[i].lastElementChild, value));
}

link.listen(({ connected, live }) => {
  state = link.state;
  if (!state) return;
  const mine = connected && live.hand !== "other";
  for (const e of document.querySelectorAll("main button, main select, main input:not([type=radio])")) e.disabled = !mine;
  $("board").inert = !mine;
  setText($("simulator"), `in ${state.simulator === "icarus" ? "Icarus Verilog" : "Verilator"}`);
  const [placement, side] = state.fen.split(" ");
  setup.show(placement);
  if (document.activeElement !== $("fen")) $("fen").value = state.fen;
  setText($("side"), side === "w" ? "White to move" : "Black to move");
  for (const [id, names, at] of [["order", state.orders, state.order], ["filter", state.filters, state.filter]]) {
    if (!$(id).options.length) $(id).append(...names.map((n) => el("option", {}, n)));
    $(id).selectedIndex = at;
  }
  figures();
  const rows = Math.max(state.beats.length, state.reference.length);
  fill($("moves"), Array.from({ length: rows }, (_, i) => {
    const b = state.beats[i], r = state.reference[i];
    return {
      texts: [b ? String(b.cycle) : "", b?.san ?? "", !b ? (state.done ? "✗ missing" : "") : b.right ? "=" : "✗ differs", r?.san ?? ""],
      kind: b ? (b.right ? "right" : "wrong") : state.done ? "wrong" : "due",
      uci: b?.uci ?? r?.uci,
    };
  }));
  setup.arrow(state.done ? "" : state.beats.at(-1)?.uci ?? "");
  overlays();
  const p = state.perft;
  setText($("count"), p?.running ? "Stop" : "Count");
  fill($("divide"), (p?.rows ?? []).map((r) => ({ texts: [r.move, countText(r.rtl), r.rtl === r.reference ? "=" : "✗ differs", countText(r.reference)], kind: r.rtl === r.reference ? "right" : "wrong" })));
  if (!p) setText($("perft-sum"), "");
  else if (p.error) setText($("perft-sum"), p.error);
  else {
    const of = p.running ? `${p.rows.length} of ${p.moves} moves, ` : "";
    setText($("perft-sum"), `perft ${p.depth}: ${of}${countText(p.rtl)} leaves by the RTL${p.cycles ? ` in ${countText(p.cycles)} cycles` : ""}${p.running ? "" : p.rtl === p.reference ? ", as the reference" : `; the reference has ${countText(p.reference)}`}`);
  }
});
$("moves").addEventListener("mouseleave", () => setup.arrow(""));
