// A short way to make elements.

// make returns an element with properties (those with a dash are attributes) and children.
export function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (name.includes("-") || name == "role" || name == "for") element.setAttribute(name, value);
		else element[name] = value;
	}
	element.append(...children);
	return element;
}
