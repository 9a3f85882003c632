// Values of ports as the server sends them, in binary digits 01xz, and as people read them.

export const radixes = { hex: "hex", dec: "decimal", signed: "signed", bin: "binary" };

/** A value for people in a radix. */
export function show(digits, radix) {
  if (digits === "") return "?";
  if (digits.length === 1) return digits.toUpperCase();
  if (radix === "bin") return group(digits.toUpperCase(), 4);
  const known = !/[xz]/.test(digits);
  if (radix !== "hex" && known) {
    const n = BigInt("0b" + digits);
    return String(radix === "signed" ? BigInt.asIntN(digits.length, n) : n);
  }
  const padded = digits.padStart(Math.ceil(digits.length / 4) * 4, "0");
  let text = "";
  for (let i = 0; i < padded.length; i += 4) {
    // The pad is as unknown as the digits after it.
    const four = padded.slice(i, i + 4).slice(i === 0 ? padded.length - digits.length : 0);
    if (/^x+$/.test(four)) text += "X";
    else if (/^z+$/.test(four)) text += "Z";
    else if (/[xz]/.test(four)) text += "?"; // part of it is unknown: binary shows which
    else text += parseInt(four, 2).toString(16);
  }
  return group(text, 4);
}

const group = (text, n) => text.replace(new RegExp(`(.)(?=(.{${n}})+$)`, "g"), "$1\u202f");

/** Binary digits of what a person wrote. A prefix goes before the radix: 0x1f, 0b101, 8'hff, -3. */
export function read(text, radix, width, unknown = false) {
  let t = text.replace(/[\s_\u202f]/g, "").toLowerCase();
  const verilog = /^\d*'s?([bdh])(.+)$/.exec(t);
  let base = { hex: 16, dec: 10, signed: 10, bin: 2 }[radix];
  if (width === 1 && !verilog) base = 2;
  if (verilog) [base, t] = [{ b: 2, d: 10, h: 16 }[verilog[1]], verilog[2]];
  else if (t.startsWith("0x")) [base, t] = [16, t.slice(2)];
  else if (t.startsWith("0b")) [base, t] = [2, t.slice(2)];
  const allowed = { 2: /^[01xz]+$/, 10: /^-?\d+$/, 16: /^[\da-fxz]+$/ }[base];
  if (!allowed.test(t)) {
    const name = { 2: "binary", 10: "decimal", 16: "hexadecimal" }[base];
    throw new Error(t === "" ? "Write a value." : `${text.trim()} is not a ${name} number.`);
  }
  if (!unknown && base !== 10 && /[xz]/.test(t)) throw new Error("An input cannot be X or Z.");
  let digits;
  if (base === 10) {
    let n = BigInt(t);
    if (n < 0n) {
      if (n < -(1n << BigInt(width - 1))) throw new Error(`${t} does not fit into ${width} bits.`);
      n = BigInt.asUintN(width, n);
    }
    digits = n.toString(2);
  } else if (base === 16) {
    digits = [...t].map((c) => (/[xz]/.test(c) ? c.repeat(4) : parseInt(c, 16).toString(2).padStart(4, "0"))).join("");
    if (/^[xz]/.test(digits)) digits = digits.slice(Math.max(0, digits.length - width));
  } else digits = t;
  digits = digits.replace(/^0+(?=.)/, "");
  if (digits.length > width) throw new Error(`${text.trim()} needs ${digits.length} bits; there are ${width}.`);
  return digits.padStart(width, "0");
}
