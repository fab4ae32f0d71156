// The map: its tools, its keys, and what is selected on it.
const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

function mapSection({ model, send, tell, groupsNow }) {
  const tools = ["pan", "lasso"].map((name) =>
    element("button", {
      type: "button", "data-tool": name, "aria-pressed": String(name === "pan"), onclick: () => use(name),
    }, name === "pan" ? "Move" : "Lasso"));
  function use(name) {
    for (const tool of tools) tool.setAttribute("aria-pressed", String(tool.dataset.tool === name));
    tell({ action: "tool", value: name });
  }
  const zoom = (label, name, value) =>
    element("button", { type: "button", "aria-label": name, title: name, onclick: () => tell({ action: "zoom", value }) }, label);
  const colour = element("select", { onchange: () => tell({ action: "colour", value: Number(colour.value) }) });
  const frame = element("div", {
    class: "map", tabindex: "0", role: "application",
    "aria-label": "Map of all rows. Arrow keys move from row to row, Enter places the row, l selects the rows around it, plus and minus zoom.",
  }, model.get_child("chart"));
  const selection = element("div", { class: "selection", role: "status" });
  const legend = element("div");
  const age = element("p", { class: "age" });

  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (ARROWS[event.key]) tell({ action: "cursor", value: ARROWS[event.key] });
    else if (event.key === "l") tell({ action: "cursor", value: "around" });
    else if (event.key === "+" || event.key === "=") tell({ action: "zoom", value: "in" });
    else if (event.key === "-") tell({ action: "zoom", value: "out" });
    else if (event.key === "Enter") {
      const first = selection.querySelector("button, input");
      if (selection.querySelector(".place")) send({ action: "place" });
      else if (first) first.focus();
    } else if (event.key === "Escape") send({ action: "clear" });
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function showSelection() {
    const chosen = JSON.parse(model.selection);
    selection.classList.toggle("some", Boolean(chosen));
    if (!chosen) {
      selection.replaceChildren(element("p", { class: "hint" }, "Click a point to place it, a second one to compare the two; draw a lasso to sort many at once."));
    } else if (chosen.rows) {
      const into = (number, name) => send({ action: "lasso", number, name });
      const panel = newGroupPanel({
        groups: groupsNow(), onNew: (name) => into("new", name), onJoin: (number) => into(number, ""),
        onClose: () => send({ action: "clear" }),
      });
      panel.box.querySelector("label span").textContent = `${rows(chosen.rows)} selected: put them into a group`;
      const input = panel.box.querySelector("input");
      input.setAttribute("aria-label", "Name of the group for the selected rows");
      input.placeholder = "a group, or the name of a new one";
      panel.box.append(element("div", { class: "row" },
        button("New group", null, () => into("new", "")),
        button("Clear", null, () => send({ action: "clear" }))));
      selection.replaceChildren(panel.box);
    } else {
      selection.replaceChildren(
        element("span", { class: "member", html: chosen.brief }),
        element("span", { html: `${chosen.caption}` }),
        chosen.title ? element("span", { class: "count", dir: "auto" }, `in ${chosen.title}`) : "",
        button("Place it", null, () => send({ action: "place" }), { class: "place" }),
        button("Clear", null, () => send({ action: "clear" })),
      );
    }
  }
  function showColumns(settings) {
    if (colour.options.length) return;
    colour.append(element("option", { value: "-1" }, "Groups"));
    settings.columns.forEach((name, at) => colour.append(element("option", { value: at }, name)));
  }
  const section = element("section", { class: "map-card", "aria-label": "Map" },
    element("div", { class: "row" },
      element("h2", {}, "Map"),
      element("span", { class: "tools", role: "group", "aria-label": "Tools of the map" }, ...tools,
        zoom("+", "Zoom in", "in"), zoom("−", "Zoom out", "out"), zoom("All", "Show all rows", "all")),
      element("label", {}, "Colour ", colour)),
    frame, selection, legend, age);
  model.on("selection", showSelection);
  model.on("legend", () => (legend.innerHTML = model.legend));
  model.on("age", () => (age.textContent = model.age));
  legend.innerHTML = model.legend;
  age.textContent = model.age;
  showSelection();
  return { section, showColumns };
}
