// Values of four states, and how they are written. A value is two BigInts: bits and unknown. A bit
// is unknown if it is set in unknown; in bits it is then 1 for Z and 0 for X.

const wordBits = 32n;

export function wordsOf(width) {
	return (width + 31) >>> 5;
}

// joined returns a value from words of 32 bits, least significant first.
export function joined(words, at, count) {
	let value = 0n;
	for (let i = count - 1; i >= 0; i--) value = (value << wordBits) | BigInt(words[at + i]);
	return value;
}

// split writes a value into words of 32 bits.
export function split(value, words, at, count) {
	for (let i = 0; i < count; i++) {
		words[at + i] = Number(value & 0xffffffffn);
		value >>= wordBits;
	}
}

// parse returns a value: of a number, a BigInt, or a text in binary or, after 0x, in hexadecimal.
// A digit of a text may be x or z.
export function parse(value, width) {
	const mask = (1n << BigInt(width)) - 1n;
	if (typeof value == "boolean") value = Number(value);
	if (typeof value == "number" || typeof value == "bigint") return {bits: BigInt(value) & mask, unknown: 0n};
	const hex = value.startsWith("0x") || value.startsWith("0X");
	const digits = hex ? value.slice(2) : value;
	if (!/[xz]/i.test(digits)) return {bits: BigInt((hex ? "0x" : "0b") + (digits || "0")) & mask, unknown: 0n};
	const per = hex ? 4n : 1n, all = hex ? 15n : 1n;
	let bits = 0n, unknown = 0n;
	for (const d of digits.toLowerCase()) {
		bits <<= per;
		unknown <<= per;
		if (d == "z") bits |= all;
		else if (d != "x") bits |= BigInt("0x" + d);
		if (d == "x" || d == "z") unknown |= all;
	}
	return {bits: bits & mask, unknown: unknown & mask};
}

// radixes are the ways to write a value, in the order in which a key goes through them.
export const radixes = {
	hex: "hexadecimal", unsigned: "decimal", signed: "signed decimal", binary: "binary",
	text: "characters", names: "names", board: "board",
};

// fits reports whether a signal can be written in a radix.
export function fits(radix, signal) {
	switch (radix) {
	case "names": return Boolean(signal.names);
	case "board": return signal.width == 64;
	case "text": return signal.width % 8 == 0;
	case "signed": case "unsigned": case "hex": return signal.width > 1;
	}
	return true;
}

// format returns a value in words. What cannot be written in decimal, as some bits are unknown, is
// written in hexadecimal with 0x before it.
export function format(value, radix, signal) {
	if (!value) return "-";
	const {bits, unknown} = value, {width, names} = signal;
	if (width == 1 && radix != "names") return digits(bits, unknown, 1, 1);
	switch (radix) {
	case "names":
		if (!unknown && names && names[bits] !== undefined) return names[bits];
		break;
	case "binary":
		return digits(bits, unknown, width, 1);
	case "unsigned": case "signed":
		if (unknown) return "0x" + digits(bits, unknown, width, 4);
		return String(radix == "signed" ? BigInt.asIntN(width, bits) : bits);
	case "text":
		if (!unknown) return characters(bits, width);
	}
	return digits(bits, unknown, width, 4);
}

function digits(bits, unknown, width, per) {
	if (!unknown) return bits.toString(1 << per).padStart(Math.ceil(width / per), "0");
	let text = "";
	for (let at = Math.floor((width - 1) / per) * per; at >= 0; at -= per) {
		const all = (1n << BigInt(Math.min(per, width - at))) - 1n;
		const b = (bits >> BigInt(at)) & all, u = (unknown >> BigInt(at)) & all;
		if (!u) text += b.toString(16);
		else text += u == all && b == all ? "z" : "x";
	}
	return text;
}

function characters(bits, width) {
	let text = "";
	for (let at = width - 8; at >= 0; at -= 8) {
		const code = Number((bits >> BigInt(at)) & 255n);
		text += code > 32 && code < 127 ? String.fromCharCode(code) : "\\" + code.toString(16).padStart(2, "0");
	}
	return text;
}

// square returns the state of a bit: "0", "1", "x" or "z".
export function square(value, bit) {
	const at = 1n << BigInt(bit);
	const on = value.bits & at;
	if (value.unknown & at) return on ? "z" : "x";
	return on ? "1" : "0";
}
