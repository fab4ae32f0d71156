// Small helpers: elements, keys, text of HTML.
const LETTERS = "abcdefghjklmopqrstvwy"; // without the keys of the buttons: i, n, u, x, z

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "html") made.innerHTML = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const keyHint = (key) => element("kbd", { "aria-hidden": "true" }, key);

function button(label, key, onclick, attributes = {}) {
  return element(
    "button",
    { type: "button", onclick, "aria-keyshortcuts": key || null, ...attributes },
    element("span", {}, label),
    key ? keyHint(key) : null,
  );
}

function plain(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  return box.content.textContent.trim();
}

const rows = (count) => `${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`;

function isTyping(event) {
  const target = event.composedPath()[0];
  return (
    target instanceof Element &&
    (target.isContentEditable ||
      ["TEXTAREA", "SELECT"].includes(target.tagName) ||
      (target.tagName === "INPUT" && target.type !== "checkbox"))
  );
}
