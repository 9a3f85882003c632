// The tabs beside the board: game, FPGA board, lines, faults, set-up.

import { el, setText } from "./live.js";
import { newGame } from "./newgame.js";
import { draw, nameOf } from "./pieces.js";

/** Makes the tabs. show(parts, heard, anew) is to be called with the parts of the state that have
    changed and what was heard since, or anew when view.heard has all of it. */
export function panels(tablist, parent, view, ask, grid) {
  const all = [game(view, ask), fpga(view, ask), lines(view), faults(view, ask, grid), setUp(view, ask)];
  const tabs = all.map(({ name, body }, i) => {
    const id = `panel-${i}`;
    body.id = id;
    body.setAttribute("role", "tabpanel");
    body.setAttribute("aria-labelledby", `tab-${i}`);
    body.tabIndex = 0;
    const tab = el("button", { type: "button", role: "tab", id: `tab-${i}`, "aria-controls": id, onclick: () => select(i) }, name);
    tab.addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (!step) return;
      const next = (i + step + all.length) % all.length;
      select(next);
      tabs[next].focus();
      e.preventDefault();
    });
    tablist.append(tab);
    parent.append(body);
    return tab;
  });
  function select(at) {
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
      all[i].body.classList.toggle("shown", i === at);
    });
  }
  select(0);
  return { show: (parts, heard, anew) => all.forEach((p) => p.show(parts, heard, anew)) };
}

const button = (text, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, text);

function game(view, ask) {
  const moves = el("ol", { class: "moves", "aria-label": "Moves" });
  const result = el("p", { class: "result" });
  const rtl = el("output", { class: "mono fen" });
  const agree = el("p", { class: "agree" });
  const turn = () => ({ side: view.game.turn });
  const body = el("div", { class: "game" },
    el("div", { class: "row" }, button("New game", () => newGame(view, ask), { class: "primary", id: "new" }),
      button("Draw", () => ask("draw", { ...turn(), on: false })), button("Claim a draw", () => ask("draw", { ...turn(), on: true })),
      button("Resign", () => ask("resign", turn()))),
    moves, result, el("h3", {}, "Position in the RTL"), rtl, agree);
  let count = -1;
  return { name: "Game", body, show(parts) {
    const g = parts.game;
    if (!g) return;
    const black = g.start.split(" ")[1] === "b";
    if (g.moves.join() !== moves.dataset.key) {
      moves.dataset.key = g.moves.join();
      const cells = black ? ["…", ...g.moves] : g.moves;
      const rows = [];
      for (let i = 0; i < cells.length; i += 2) rows.push(el("li", {}, el("span", {}, cells[i]), el("span", {}, cells[i + 1] ?? "")));
      moves.replaceChildren(...rows);
      if (g.moves.length !== count) moves.scrollTop = moves.scrollHeight;
      count = g.moves.length;
    }
    setText(result, g.result === "*" ? `${g.turn === "white" ? "White" : "Black"} to move` : `${g.result}  ${g.outcome}`);
    setText(rtl, g.rtl);
    setText(agree, g.agree ? "✓ the same as the reference" : "≠ the PC has another position");
    agree.classList.toggle("differs", !g.agree);
  } };
}

function fpga(view, ask) {
  const light = (name) => el("span", { class: "lamp", role: "img", "data-name": name });
  const ranks = [8, 7].map((rank) => [..."abcdefgh"].map((file) => light(`${file}${rank}`)));
  const named = { illegal: light("Illegal"), warning: light("Warning: two pieces are up"), a1: light("a1"), h1: light("h1") };
  const label = (lamp, text) => el("span", { class: "named" }, lamp, text);
  const keys = {};
  const key = (id, text, name) => (keys[id] = button(text, () => ask("press", { button: id }), { class: `key key-${id}`, "aria-label": name, title: name }));
  const power = el("input", { type: "checkbox", role: "switch", id: "power", onchange: () => ask("power", { on: power.checked }) });
  const switches = ["white", "black"].map((side) => {
    const s = el("input", { type: "checkbox", role: "switch", id: `switch-${side}`, onchange: () => ask("switch", { side, on: s.checked }) });
    return s;
  });
  const bits = [...Array(7).keys()].map((n) => light(`Line ${n}`));
  const body = el("div", { class: "fpga" },
    el("h3", {}, "Lights: the sensors of ranks 8 and 7"),
    ...ranks.map((row) => el("div", { class: "lamps" }, ...row)),
    el("div", { class: "row" }, label(named.illegal, "Illegal"), label(named.warning, "Warning"), label(named.a1, "a1"), label(named.h1, "h1")),
    el("div", { class: "row keypad-row" },
      el("div", { class: "keypad", role: "group", "aria-label": "Buttons" },
        key("queen", "Q", "Up: queen"), key("bishop", "B", "Left: bishop"), key("clock", "Clock", "Centre: the chess clock starts, stops, goes on"),
        key("rook", "R", "Right: rook"), key("knight", "N", "Down: knight")),
      el("div", { class: "column" },
        key("reset", "CPU RESET", "CPU RESET: a new game"),
        el("label", {}, power, " Power"),
        el("label", {}, switches[0], " SW0: White by the lines"),
        el("label", {}, switches[1], " SW1: Black by the lines"))),
    el("h3", {}, "The seven parallel lines"), el("div", { class: "lamps seven" }, ...bits));
  const set = (lamp, on) => {
    lamp.classList.toggle("on", on);
    const label = `${lamp.dataset.name}: ${on ? "on" : "off"}`;
    if (lamp.ariaLabel !== label) lamp.ariaLabel = label;
  };
  return { name: "Hardware", body, show(parts) {
    const b = parts.board;
    if (!b) return;
    ranks.forEach((row, r) => row.forEach((lamp, f) => set(lamp, Boolean((b.upper >> (8 * (1 - r) + f)) & 1))));
    set(named.illegal, b.illegal);
    set(named.warning, b.warning);
    set(named.a1, Boolean(b.corners & 1));
    set(named.h1, Boolean(b.corners & 2));
    bits.forEach((lamp, n) => set(lamp, Boolean((b.lines >> n) & 1)));
    for (const [id, k] of Object.entries(keys)) k.classList.toggle("pressed", b.pressed.includes(id));
    power.checked = b.on;
    switches.forEach((s, n) => (s.checked = Boolean((b.linesPlay >> n) & 1)));
  } };
}

function lines(view) {
  const names = { rx: "PC →", tx: "→ PC", moves: "moves →" };
  const idle = el("input", { type: "checkbox", onchange: () => fill() });
  const list = el("ol", { class: "heard mono", "aria-label": "Frames on the serial lines" });
  const log = el("ol", { class: "log mono", "aria-label": "What the PC's program says" });
  const up = el("span", { class: "up" });
  const body = el("div", { class: "lines" },
    el("div", { class: "row" }, el("h3", {}, "Serial lines"), up, el("label", {}, idle, " pings and acknowledgements too")), list,
    el("h3", {}, "The PC's program"), log);
  const item = (h) => el("li", { class: h.bad ? "bad" : "", title: h.bytes }, el("span", { class: "cycle" }, String(h.cycle)), el("span", { class: "way" }, names[h.line]), el("span", {}, h.text));
  const wanted = (h) => idle.checked || !h.idle;
  const toEnd = (l) => (l.scrollTop = l.scrollHeight);
  let stick = true; // the newest is shown, until the person scrolls back
  list.addEventListener("scroll", () => (stick = list.scrollTop + list.clientHeight > list.scrollHeight - 8));
  new ResizeObserver(() => [list, log].forEach(toEnd)).observe(body);
  function fill() {
    list.replaceChildren(...view.heard.filter(wanted).map(item));
    toEnd(list);
  }
  return { name: "Lines", body, show(parts, heard, anew) {
    if (anew) fill();
    const fresh = (heard ?? []).filter(wanted);
    if (fresh.length > 0) {
      list.append(...fresh.map(item));
      while (list.children.length > 200) list.firstChild.remove();
      if (stick) toEnd(list);
    }
    if (parts.pc) {
      setText(up, parts.pc.up ? "link up" : "link down");
      const key = `${parts.pc.last}`;
      if (log.dataset.key !== key) {
        log.dataset.key = key;
        log.replaceChildren(...parts.pc.log.map((l) => el("li", {}, l)));
        toEnd(log);
      }
    }
  } };
}

function faults(view, ask, grid) {
  const kinds = [["stuck", "always sees a piece"], ["dead", "never sees one"], ["bouncing", "bounces"], ["dark", "LED broken"]];
  const square = el("select", { id: "fault-square", onchange: () => show() });
  for (let rank = 8; rank >= 1; rank--) for (const f of "abcdefgh") square.append(el("option", {}, f + rank));
  square.value = "e4";
  const boxes = kinds.map(([kind, text]) => {
    const box = el("input", { type: "checkbox", onchange: () => set(kind, box.checked) });
    return [kind, box, el("label", {}, box, " ", text)];
  });
  const noise = el("select", { id: "noise", onchange: () => ask("faults", { faults: { ...view.faults, noise: Number(noise.value) } }) });
  for (const [share, text] of [[0, "none"], [0.01, "1 in 100"], [0.05, "1 in 20"], [0.2, "1 in 5"]]) noise.append(el("option", { value: share }, text));
  const list = el("p", { class: "broken-list" });
  function set(kind, on) {
    const squares = new Set(view.faults[kind].split(" ").filter(Boolean));
    if (on) squares.add(square.value);
    else squares.delete(square.value);
    ask("faults", { faults: { ...view.faults, [kind]: [...squares].join(" ") } });
  }
  function show() {
    for (const [kind, box] of boxes) box.checked = view.faults[kind].split(" ").includes(square.value);
    noise.value = String(view.faults.noise);
    setText(list, kinds.map(([kind, text]) => view.faults[kind] && `${view.faults[kind]}: ${text}.`).filter(Boolean).join(" ") || "Nothing is broken.");
  }
  grid.element.addEventListener("focusin", () => {
    if (square.value !== grid.focused) {
      square.value = grid.focused;
      if (view.faults) show();
    }
  });
  const none = { stuck: "", dead: "", bouncing: "", dark: "", noise: 0 };
  const body = el("div", { class: "faults" },
    el("h3", {}, "At a square"),
    el("div", { class: "row" }, el("label", { for: "fault-square" }, "Square"), square, ...boxes.map(([, , label]) => label)),
    el("h3", {}, "On the serial line"),
    el("div", { class: "row" }, el("label", { for: "noise" }, "Bytes lost, changed or doubled"), noise),
    el("h3", {}, "Power"),
    el("div", { class: "row" }, button("Off and on again", () => ask("power", { on: false }).then(() => setTimeout(() => ask("power", { on: true }), 700)))),
    list, el("div", { class: "row" }, button("Mend everything", () => ask("faults", { faults: none }))));
  return { name: "Faults", body, show(parts) { if (parts.faults) show(); } };
}

function setUp(view, ask) {
  const fen = el("input", { id: "fen", autocomplete: "off", spellcheck: "false", class: "mono", placeholder: "FEN" });
  const box = el("div", { class: "box", role: "group", "aria-label": "Pieces from the box" });
  for (const kind of "KQRBNPkqrbnp") {
    box.append(el("button", { type: "button", class: "loose", "aria-label": `Take a ${nameOf(kind)} from the box`,
      onclick: () => ask("add", { kind }).then((p) => p && ask("move", { id: p.id, to: "hand" })) }, draw(kind)));
  }
  const times = el("select", { id: "times", "aria-label": "Time constants", onchange: () => ask("times", { on: times.value === "real" }).then(paced) },
    el("option", { value: "scaled" }, "scaled: a move is answered at once"), el("option", { value: "real" }, "real: as on the board at 100 MHz, where a scan takes some seconds here"));
  // With other times, another speed is of use. Refused, the choice is what it was.
  const paced = (speed) => (speed ? ask("speed", speed) : (times.value = view.times === "real" ? "real" : "scaled"));
  const body = el("div", { class: "setup" },
    el("form", { class: "row", onsubmit: (e) => { e.preventDefault(); ask("new", { play: view.game.play, fen: fen.value }); } },
      el("label", { for: "fen" }, "Position"), fen, el("button", { type: "submit" }, "Set up")),
    el("div", { class: "row" }, button("Pieces as the game has them", () => ask("tidy")), button("Clear the board", () => ask("clear"))),
    el("h3", {}, "Pieces from the box, into the hand"), box,
    el("div", { class: "row" }, el("span", {}, "A game from what stands here:"), button("White to move", () => ask("here", { side: "white" })), button("Black to move", () => ask("here", { side: "black" }))),
    el("h3", {}, "Time constants"), el("div", { class: "row" }, times));
  return { name: "Set-up", body, show(parts) {
    if (parts.game && document.activeElement !== fen) fen.value = parts.game.fen;
    if (parts.times) times.value = parts.times === "real" ? "real" : "scaled";
  } };
}
