// The connection of a page with the server of package sim/live, and the controls that every page
// has: run, pause, step, speed, time, and who has the hand.

const ACTING = "hand";

/** A connection that comes back by itself. */
export class Link {
  #socket = null;
  #waiting = new Map(); // id → {resolve, reject}
  #next = 1;
  #delay = 200;
  #held = false;
  #listeners = [];
  live = null; // the newest Status of the server
  state = null; // the newest state of the App
  connected = false;
  fresh = false; // the state is new, and not the one that was there before the connection was lost

  constructor() {
    this.#open();
    // A page that was asleep tries at once.
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  /** Calls listener(link) with each state, and when the connection is lost. */
  listen(listener) {
    this.#listeners.push(listener);
  }

  /** Asks the server to do something. The promise has its answer, or its error in words. */
  do(name, args) {
    if (!this.connected) return Promise.reject(new Error("The server is away."));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, do: name, args }));
    });
  }

  #tell(fresh) {
    this.fresh = fresh;
    for (const l of this.#listeners) l(this);
  }

  #open() {
    clearTimeout(this.timer);
    this.timer = 0;
    const address = new URL("ws", location.href);
    address.protocol = "ws:";
    if (this.#held) address.searchParams.set(ACTING, "1");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onmessage = (e) => this.#receive(JSON.parse(e.data));
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#held = this.live?.hand === "you" || (this.#held && !this.connected);
      this.connected = false;
      for (const w of this.#waiting.values()) w.reject(new Error("The server has gone away."));
      this.#waiting.clear();
      // Each try waits longer, up to 5 s, and not all pages try in the same moment.
      this.timer = setTimeout(() => this.#open(), this.#delay * (0.75 + Math.random() / 2));
      this.#delay = Math.min(this.#delay * 1.6, 5000);
      this.#tell(false);
    };
  }

  #hurry() {
    if (this.timer) {
      this.#delay = 200;
      this.#open();
    }
  }

  #receive(message) {
    if (message.id) {
      const w = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) w?.reject(new Error(message.error));
      else w?.resolve(message.answer);
      return;
    }
    this.connected = true;
    this.#delay = 200;
    this.live = message.live;
    this.state = message.state;
    this.#socket.send('{"do":"seen"}');
    this.#tell(true);
  }
}

/** An element: el("button", {class: "a", onclick: f}, "text", child). */
export function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (typeof v === "boolean") e.toggleAttribute(k, v);
    else if (v !== undefined) e.setAttribute(k, v);
  }
  e.append(...children);
  return e;
}

/** Sets a text only if it differs, so that nothing is laid out for nothing. */
export function setText(e, text) {
  if (e.textContent !== text) e.textContent = text;
}

const prefixes = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"], [1e-12, "ps"]];

/** A time with its unit: 12.34 ms. */
export function timeText(seconds) {
  if (seconds >= 100) return `${Math.floor(seconds / 60)} min ${(seconds % 60).toFixed(1)} s`;
  for (const [size, unit] of prefixes) {
    if (seconds >= size) return `${+(seconds / size).toPrecision(5)} ${unit}`;
  }
  return "0 s";
}

/** A number of cycles in groups of three digits. */
export function countText(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** A rate with a prefix: 1.2 M. */
export function rateText(n) {
  for (const [size, unit] of [[1e9, "\u202fG"], [1e6, "\u202fM"], [1e3, "\u202fk"]]) {
    if (n >= size) return +(n / size).toPrecision(3) + unit;
  }
  return String(+n.toPrecision(3));
}

const speedName = (s) => (s === 0 ? "as fast as it goes" : `${rateText(s)} cycle${s === 1 ? "" : "s"}/s`);

/** Shows an error in words where all see it. */
let complain = (error) => console.error(error);
export const problem = (error) => complain(error.message ?? String(error));

/** Puts the controls into an element, most often a header. */
export function controls(parent, link) {
  const act = (name, args) => link.do(name, args).catch(problem);
  const run = el("button", { type: "button", class: "primary run", "aria-keyshortcuts": "Space", title: "Space", onclick: () => act(link.live?.running ? "pause" : "run") }, "Run");
  const count = el("input", { type: "number", min: "1", value: "1", "aria-label": "How many", class: "count" });
  const unit = el("select", { "aria-label": "Unit of a step" });
  const doStep = () => act("step", { n: Number(count.value), unit: unit.value });
  const step = el("button", { type: "button", "aria-keyshortcuts": ".", title: "Key: .", onclick: doStep }, "Step");
  const speed = el("select", { id: "live-speed", onchange: () => act("speed", { cycles: Number(speed.value) }) });
  const cycles = el("span", {}, "0");
  const simulated = el("span", {}, "0 s");
  const wall = el("span", {}, "0 s");
  const rate = el("span", {}, "");
  const hand = el("button", { type: "button", class: "hand", hidden: true, onclick: () => act(link.live?.hand === "you" ? "give" : "take") });
  const who = el("span", { role: "status", class: "who" });
  const state = el("span", { role: "status", class: "connection" }, "Connecting");
  const words = el("p", { role: "alert" });
  const close = el("button", { type: "button", "aria-label": "Close this note", onclick: () => (notice.hidden = true) }, "×");
  const notice = el("div", { class: "notice", hidden: true }, words, close);
  const clock = el("div", { class: "group", role: "group", "aria-label": "Clock" }, run, step, count, unit,
    el("span", { class: "pair" }, el("label", { for: "live-speed" }, "Speed"), speed));
  const figures = el("dl", { class: "figures" });
  for (const [name, value] of [["cycle", cycles], ["simulated", simulated], ["wall", wall], ["cycles/s", rate]]) {
    figures.append(el("div", {}, el("dt", {}, name), el("dd", {}, value)));
  }
  parent.classList.add("controls");
  parent.append(clock, figures, el("div", { class: "group people" }, who, hand, state));
  parent.after(notice);

  let timer = 0;
  const show = (text, fault) => {
    notice.classList.toggle("fault", fault);
    notice.hidden = text === "";
    setText(words, text);
  };
  complain = (text) => {
    show(text, true);
    clearTimeout(timer);
    timer = setTimeout(() => show(link.live?.notice ?? "", link.live?.fault), 6000);
  };
  let lastNotice = "";
  let offered = "";
  link.listen(() => {
    const l = link.live;
    document.body.classList.toggle("away", !link.connected);
    setText(state, link.connected ? "Connected" : "The server is away. Trying again.");
    if (!l) return;
    parent.classList.add("begun");
    if (link.connected && l.notice !== lastNotice) show((lastNotice = l.notice), l.fault);
    clock.hidden = !l.clock;
    figures.hidden = !l.clock;
    const mine = link.connected && l.hand !== "other";
    for (const e of [run, step, speed]) e.disabled = !mine;
    setText(run, l.running ? "Pause" : "Run");
    const offer = JSON.stringify([l.units, l.speeds]);
    if (offer !== offered) {
      offered = offer;
      unit.replaceChildren(...l.units.map((u) => el("option", { value: u.name }, u.name)));
      const all = l.speeds.includes(l.speed) ? l.speeds : [...l.speeds, l.speed];
      speed.replaceChildren(...all.map((s) => el("option", { value: s }, speedName(s))));
    }
    if (document.activeElement !== speed) speed.value = l.speed;
    setText(cycles, countText(l.cycles));
    setText(simulated, timeText(l.simulated));
    setText(wall, timeText(Math.round(l.wall * 10) / 10));
    setText(rate, l.running ? rateText(l.rate) : "paused");
    const others = l.viewers > 1 ? `${l.viewers} viewers. ` : "";
    setText(who, others + { you: "You have the hand.", other: "Another viewer has the hand.", nobody: "Nobody has the hand." }[l.hand]);
    who.hidden = hand.hidden = l.viewers < 2;
    setText(hand, l.hand === "you" ? "Hand over" : "Take the hand");
    hand.disabled = !link.connected;
    document.title = l.title || document.title;
  });

  // Keys of the whole page, where they mean nothing else.
  addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented || !link.live?.clock) return;
    const at = e.target;
    if (at.closest?.("input, select, textarea, button, [contenteditable], [role=application], [role=grid], [role=listbox], [role=tree], summary, a")) return;
    if (e.key === " ") run.click();
    else if (e.key === ".") doStep();
    else return;
    e.preventDefault();
  });
}
