// A field that finds groups by name, and one that names a new group.

// Groups whose name starts with the text come first, then those that contain it.
function matches(groups, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return groups;
  const place = (group) => group.title.toLowerCase().indexOf(wanted);
  return groups.filter((group) => place(group) >= 0).sort((a, b) => (place(a) > 0) - (place(b) > 0));
}

const MOST_SHOWN = 8;
let fields = 0; // for ids

// A text field with a list below it: arrows choose, Enter takes, Escape closes.
function finder({ label, placeholder, groups, entryOf, onEnter, onClose }) {
  const id = `pairspace-names-${(fields += 1)}`;
  const input = element("input", {
    type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", placeholder,
    "aria-expanded": "true", "aria-controls": id, "aria-autocomplete": "list", maxlength: 80,
    "aria-label": label,
  });
  const list = element("div", { role: "listbox", id, "aria-label": "Groups" });
  const box = element("div", { class: "finder" }, element("label", {}, element("span", {}, label), input), list);
  let shown = [];
  let at = -1;

  function draw() {
    shown = matches(groups, input.value).slice(0, MOST_SHOWN);
    if (at >= shown.length) at = -1;
    list.replaceChildren(
      ...shown.map((group, index) =>
        element(
          "div",
          {
            role: "option", id: `${id}-${index}`, "aria-selected": String(index === at),
            onpointerdown: (event) => event.preventDefault(), // the field keeps the focus
            onclick: () => onEnter(input.value, group, shown),
          },
          entryOf(group),
        ),
      ),
    );
    list.hidden = shown.length === 0;
    input.setAttribute("aria-expanded", String(shown.length > 0));
    if (at >= 0) input.setAttribute("aria-activedescendant", `${id}-${at}`);
    else input.removeAttribute("aria-activedescendant");
  }
  input.addEventListener("input", () => { at = -1; draw(); });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && shown.length) at = (at + step + shown.length + (at < 0 && step < 0)) % shown.length;
    else if (event.key === "Enter") onEnter(input.value, shown[at] ?? null, shown);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (step) draw();
  });
  draw();
  return { box, input };
}

const entry = (prefix) => (group) => `${prefix}${group.title} · ${rows(group.count)}`;

// Choose a group by name. What is typed must be in a name: no group is made here.
function searchPanel({ groups, onChoose, onClose }) {
  const { box, input } = finder({
    label: "Find a group", placeholder: "name", groups, entryOf: entry(""),
    onEnter: (text, chosen, shown) => {
      const found = chosen ?? (text.trim() || shown.length === 1 ? shown[0] : null);
      if (found) onChoose(found.number);
    },
    onClose,
  });
  box.classList.add("panel");
  box.append(element("p", { class: "hint" }, "↓ ↑ choose, Enter takes the first, Esc closes"));
  return { box, focus: () => input.focus() };
}

// Name a new group. A name that an existing group has, or that begins one, is asked about.
function newGroupPanel({ groups, onNew, onJoin, onClose }) {
  const named = groups.filter((group) => group.name);
  const question = element("div", { class: "guard", role: "group" });
  const { box, input } = finder({
    label: "New group: its name, if you like", placeholder: "no name", groups: named,
    entryOf: entry("Join "),
    onEnter: (text, chosen) => {
      const name = text.trim();
      if (chosen) return onJoin(chosen.number);
      if (!name) return onNew("");
      const wanted = name.toLowerCase();
      const alike = named.filter((group) => group.name.toLowerCase().startsWith(wanted));
      if (alike.length) guard(name, alike);
      else onNew(name);
    },
    onClose,
  });
  function guard(name, alike) {
    const exact = alike.some((group) => group.name.toLowerCase() === name.toLowerCase());
    const joins = alike.slice(0, 4).map((group) =>
      button(`Join “${group.title}”`, null, () => onJoin(group.number), { class: "join" }));
    const other = exact ? `Make a second group “${name}”` : `Make a new group “${name}”`;
    const text = `There is ${alike.length === 1 ? `a group “${alike[0].title}”` : "more than one such group"}.`;
    question.setAttribute("aria-label", text);
    question.replaceChildren(
      element("p", { role: "alert" }, text), ...joins,
      button(other, null, () => onNew(name), { class: "second" }),
      button("Back", "Esc", () => { question.replaceChildren(); input.focus(); }),
    );
    joins[0].focus();
  }
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    question.replaceChildren();
    input.focus();
  });
  box.classList.add("panel");
  box.append(
    element("p", { class: "hint" }, "Enter makes the group; with ↓ you join one that exists; Esc closes"),
    question,
  );
  return { box, focus: () => input.focus() };
}
