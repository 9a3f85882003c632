// The format of waves that package wave of Go writes: see encode.go there.
import {Trace} from "./trace.js";

// unpack returns the bytes of a text in base64 that gzip has packed.
export async function unpack(text) {
	const packed = Uint8Array.fromBase64?.(text) ?? slowly(text.trim());
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

// slowly is for browsers before 2025.
function slowly(text) {
	const characters = atob(text), bytes = new Uint8Array(characters.length);
	for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
	return bytes;
}

// open returns what is known of the waves, and their bytes.
export function open(bytes) {
	const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
	const about = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
	return {about, body: bytes.subarray(4 + length)};
}

// trace returns the changes of a signal, which begin at a place in the body.
export function trace(body, at, width, first) {
	const varint = () => {
		let value = 0, scale = 1;
		for (;;) {
			const b = body[at++];
			value += (b & 127) * scale;
			if (b < 128) return value;
			scale *= 128;
		}
	};
	const count = varint(), hasUnknown = varint();
	const t = new Trace(width);
	t.room(Math.max(count, 1));
	let cycle = first;
	for (let i = 0; i < count; i++) t.cycles[i] = cycle += varint();
	const size = (width + 7) >>> 3;
	const plane = words => {
		for (let i = 0; i < count; i++) {
			for (let b = 0; b < size; b++) words[i * t.words + (b >>> 2)] |= body[at++] << ((b & 3) * 8);
		}
	};
	plane(t.bits);
	if (hasUnknown) {
		t.known(Math.max(count, 1));
		plane(t.unknown);
		for (let i = 0; i < count; i++) {
			let any = 0;
			for (let w = 0; w < t.words; w++) any |= t.unknown[i * t.words + w];
			t.before[i + 1] = t.before[i] + (any ? 1 : 0);
		}
	}
	t.count = count;
	return t;
}
