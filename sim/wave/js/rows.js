// The rows: what is shown below each other, and where.
import {axisHeight} from "./draw.js";
import {heights} from "./names.js";

// layout returns rows with headings between their groups. Of a closed group, there is the heading
// only.
export function layout(shown, closed) {
	const rows = [];
	let group;
	for (const row of shown) {
		if (row.group !== group) {
			group = row.group;
			if (group) rows.push({kind: "group", group, height: heights.group, closed: closed.has(group)});
		}
		if (closed.has(row.group)) continue;
		row.height = row.radix == "board" ? heights.board : heights[row.kind];
		rows.push(row);
	}
	let offset = axisHeight;
	for (const row of rows) {
		row.offset = offset;
		offset += row.height;
	}
	return rows;
}

// seen returns the rows that are in view in a box that scrolls, and where.
export function seen(rows, box) {
	const top = box.scrollTop, bottom = top + box.clientHeight;
	const all = rows.filter(r => r.offset + r.height > top && r.offset < bottom);
	for (const row of all) row.top = row.offset - top;
	return all;
}

// reveal scrolls the box so that a row is seen.
export function reveal(row, box) {
	if (row.offset === undefined) return;
	if (row.offset < box.scrollTop + axisHeight) box.scrollTop = row.offset - axisHeight;
	else if (row.offset + row.height > box.scrollTop + box.clientHeight) box.scrollTop = row.offset + row.height - box.clientHeight;
}
