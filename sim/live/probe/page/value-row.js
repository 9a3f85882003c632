// A row of a table that shows a value.
import { el, setText } from "./live.js";
import { radixes, show } from "./values.js";

/** How many bits there are, behind a name. */
export const span = (width) => (width > 1 ? el("span", { class: "faint" }, `[${width - 1}:0]`) : "");

const key = (top, name) => `radix ${top} ${name}`;

/** The radix that was chosen for a name. */
export const chosenRadix = (top, name) => sessionStorage.getItem(key(top, name)) ?? "hex";

/** The choice of a radix, which the page keeps for each name of a design. */
export function radixOf(top, name, changed) {
  const select = el("select", { "aria-label": `Radix of ${name}`, class: "radix", onchange: () => {
    sessionStorage.setItem(key(top, name), select.value);
    changed();
  } }, ...Object.entries(radixes).map(([value, text]) => el("option", { value }, text)));
  select.value = chosenRadix(top, name);
  return select;
}

/** A row of a table that shows a value: a lamp if it has one bit, and its name if it has one. */
export function valueRow(top, name, width, { names, more = "" } = {}) {
  let digits = "";
  const lamp = el("span", { class: "lamp", "aria-hidden": "true" });
  const text = el("span", { class: "mono value" });
  const radix = width > 1 ? radixOf(top, name, () => update(digits)) : "";
  const row = el("tr", {}, el("th", { scope: "row", class: "mono" }, name, span(width)), el("td", {}, width > 1 ? "" : lamp, text), el("td", {}, radix), more);
  function update(now) {
    digits = now;
    const known = names && /^[01]+$/.test(now) ? names[parseInt(now, 2)] : undefined;
    setText(text, show(now, width > 1 ? radix.value : "bin") + (known ? " " + known : ""));
    text.classList.toggle("unknown", /[xz]/.test(now));
    lamp.dataset.value = now;
  }
  return { row, update };
}
