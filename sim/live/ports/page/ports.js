// The page of any design: see package ports.
import { Link, controls, el, problem, setText } from "./live.js";
import { Probe } from "./probe.js";
import { radixOf, span, valueRow } from "./value-row.js";
import { read, show } from "./values.js";

const $ = (id) => document.getElementById(id);
const link = new Link();
controls($("controls"), link);
const act = (name, args) => link.do(name, args).catch(problem);

let about = null;
let inputs = [], outputs = []; // {update(digits, mine)}
const probe = new Probe($("probe"), $("waves"), link);

/** A switch of one bit. */
function toggle(port, i) {
  const isReset = port.name === about.reset;
  const set = (v) => act("set", { name: port.name, value: v });
  const label = el("span", { id: `in-${i}` }, port.name);
  const state = el("span", { class: "state", "aria-hidden": "true" });
  const button = el("button", {
    type: "button", role: "switch", "aria-checked": "false", "aria-labelledby": `in-${i}`, class: "switch",
    onclick: () => set(button.getAttribute("aria-checked") === "true" ? "0" : "1"),
  }, el("i"), state);
  const pulse = el("button", {
    type: "button", class: "pulse", "aria-label": `${port.name} for one cycle`, title: "Change it for one cycle",
    onclick: async () => {
      const now = button.getAttribute("aria-checked") === "true" ? "1" : "0";
      await set(now === "1" ? "0" : "1");
      await act("step", { n: 1 });
      await set(now);
    },
  });
  pulse.innerHTML = '<svg viewBox="0 0 20 12" width="20" height="12" aria-hidden="true"><path d="M1 11H6V1h8v10h5" fill="none" stroke="currentColor" stroke-width="2"/></svg>';
  pulse.hidden = about.clocks.length === 0;
  const row = el("div", { class: "input" }, el("div", { class: "name mono" }, label, isReset ? el("small", { class: "faint" }, about.activeLow ? " reset, active low" : " reset") : ""), button, pulse);
  return { row, update(digits, mine) {
    button.setAttribute("aria-checked", String(digits === "1"));
    setText(state, digits);
    button.disabled = !mine;
    pulse.disabled = !mine || link.live.running;
  } };
}

/** A field of several bits. */
function field(port, i) {
  let digits = "0".repeat(port.width);
  const error = el("p", { class: "error", id: `in-${i}-error`, role: "alert" });
  const box = el("input", { id: `in-${i}`, class: "mono value", autocomplete: "off", spellcheck: "false", "aria-describedby": `in-${i}-error`, size: String(Math.min(24, Math.max(6, Math.ceil(port.width / 3)))) });
  const fault = (text) => {
    setText(error, text);
    if (text) box.setAttribute("aria-invalid", "true");
    else box.removeAttribute("aria-invalid");
  };
  const reset = () => { box.value = show(digits, radix.value); box.dataset.dirty = ""; fault(""); };
  const radix = radixOf(about.top, port.name, reset);
  const send = async () => {
    if (!box.dataset.dirty) return;
    try {
      const value = read(box.value, radix.value, port.width);
      await link.do("set", { name: port.name, value });
      digits = value;
      reset();
    } catch (e) {
      fault(e.message);
    }
  };
  box.addEventListener("input", () => { box.dataset.dirty = "1"; fault(""); });
  box.addEventListener("change", send);
  box.addEventListener("keydown", (e) => {
    if (e.key === "Enter") send();
    else if (e.key === "Escape") reset();
    else if ((e.key === "ArrowUp" || e.key === "ArrowDown") && radix.value !== "bin") {
      e.preventDefault();
      const n = BigInt.asUintN(port.width, BigInt("0b" + digits) + (e.key === "ArrowUp" ? 1n : -1n));
      act("set", { name: port.name, value: n.toString(2) });
    }
  });
  const row = el("div", { class: "input" }, el("label", { class: "name mono", for: `in-${i}` }, port.name, span(port.width)), box, radix, error);
  return { row, update(now, mine) {
    box.disabled = !mine;
    if (now === digits && box.value !== "") return;
    digits = now;
    if (!box.dataset.dirty) reset();
  } };
}

function describe() {
  setText($("top"), about.top);
  const names = about.clocks.length > 0 ? `clock ${about.clocks.join(", ")}` : "no clock: each change of an input is one cycle";
  setText($("simulator"), `in ${about.simulator === "icarus" ? "Icarus Verilog" : "Verilator"}, ${names}`);
  $("reset").hidden = about.reset === "" || about.clocks.length === 0;
  inputs = about.inputs.map((p, i) => (p.width === 1 ? toggle(p, i) : field(p, i)));
  outputs = about.outputs.map((p) => valueRow(about.top, p.name, p.width));
  $("inputs").replaceChildren(...(inputs.length ? inputs.map((x) => x.row) : [el("p", { class: "faint" }, "There are none.")]));
  $("outputs").tBodies[0].replaceChildren(...outputs.map((x) => x.row));
  $("notes").replaceChildren(...(about.notes ?? []).map((n) => el("li", {}, n)));
}

let problems = 0;
let printed = 0;

link.listen(({ state, live, connected, fresh }) => {
  const mine = connected && live?.hand !== "other";
  if (!state) return;
  if (fresh && state.about) {
    about = state.about;
    problems = state.problems;
    describe();
    probe.describe(about);
  }
  probe.show(state, mine, fresh);
  about.inputs.forEach((_, i) => inputs[i].update(state.in[i], mine && state.busy === ""));
  about.outputs.forEach((_, i) => outputs[i].update(state.out[i]));
  setText($("busy"), state.busy && state.busy[0].toUpperCase() + state.busy.slice(1));
  $("reset").disabled = $("restart").disabled = !mine || state.busy !== "";
  if (state.problems !== problems) {
    problems = state.problems;
    problem(state.problem);
  }
  for (const m of (fresh && state.messages) || []) {
    const list = $("messages");
    list.append(el("li", { class: m.severity }, `${m.cycle}: `, el("b", {}, m.severity === "display" ? "" : m.severity + " "), m.text, m.where ? el("span", { class: "faint" }, ` ${m.where}`) : ""));
    while (list.children.length > 200) list.firstChild.remove();
    $("printed").hidden = false;
    setText($("printed-count"), String(++printed));
  }
});

$("reset").addEventListener("click", () => act("reset"));
$("restart").addEventListener("click", () => act("restart"));
