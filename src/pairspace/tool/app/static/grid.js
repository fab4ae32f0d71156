// Grids of rows: a pick, a sweep, and the rows of a group.
function markGrid(cells, { marked, word, onChange }) {
  let painting = null; // whether dragging marks or clears
  const buttons = cells.map((cell, at) =>
    element(
      "button",
      {
        type: "button", class: "cell", "aria-pressed": "false", "data-row": cell.row,
        tabindex: at === 0 ? "0" : "-1",
        "aria-label": `${plain(cell.caption)}: ${plain(cell.html) || "picture"}`,
        "aria-keyshortcuts": LETTERS[at] ?? null,
      },
      element("span", { class: "cell-item", html: cell.html }),
      element("span", { class: "cell-foot" },
        LETTERS[at] ? keyHint(LETTERS[at]) : null,
        element("span", { class: "cell-caption", html: cell.caption }),
        element("span", { class: "cell-mark", "aria-hidden": "true" }, word)),
    ),
  );
  const grid = element("div", { class: "grid", role: "group", "aria-label": "Rows; arrow keys move, space marks" }, ...buttons);

  function set(at, on) {
    buttons[at].setAttribute("aria-pressed", String(on));
    if (on) marked.add(cells[at].row);
    else marked.delete(cells[at].row);
    onChange();
  }
  const toggle = (at) => set(at, !marked.has(cells[at].row));
  const indexOf = (event) => buttons.indexOf(event.target.closest?.(".cell"));

  // A mouse marks by dragging; touch scrolls, so a tap is a click there.
  grid.addEventListener("pointerdown", (event) => {
    const at = indexOf(event);
    if (at < 0 || event.pointerType === "touch" || event.button !== 0) return;
    painting = !marked.has(cells[at].row);
    set(at, painting);
  });
  grid.addEventListener("pointerover", (event) => {
    const at = indexOf(event);
    if (painting === null || at < 0 || !event.buttons) return;
    set(at, painting);
  });
  grid.addEventListener("click", (event) => {
    const at = indexOf(event);
    const byMouse = painting !== null && event.detail > 0;
    painting = null;
    if (at >= 0 && !byMouse) toggle(at);
  });
  grid.addEventListener("pointerleave", () => (painting = null));
  grid.addEventListener("dragstart", (event) => event.preventDefault());

  function focusOn(at) {
    buttons.forEach((each, index) => (each.tabIndex = index === at ? 0 : -1));
    buttons[at].focus();
  }
  grid.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(event.target);
    if (at < 0) return;
    const columns = buttons.filter((each) => each.offsetTop === buttons[0].offsetTop).length;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to < buttons.length) focusOn(to);
  });
  const keys = {};
  cells.forEach((_, at) => { if (LETTERS[at]) keys[LETTERS[at]] = () => { focusOn(at); toggle(at); }; });
  return { grid, keys, focus: () => buttons.length && focusOn(0) };
}

function pickScreen(screen, { send, memory }) {
  const marked = new Set();
  const unknown = element("input", {
    type: "checkbox", onchange: () => { memory.unknown = unknown.checked; say(); },
  });
  unknown.checked = Boolean(memory.unknown);
  const store = () => send({ action: "answer", rows: [...marked], unknown: unknown.checked });
  const done = button("Store", "Enter", store, { class: "primary" });
  const say = () => {
    const others = screen.cells.length - marked.size;
    done.firstChild.textContent = `${marked.size} same, ${others} ${unknown.checked ? "unknown" : "different"}: store`;
  };
  const made = markGrid(screen.cells, { marked, word: "same", onChange: say });
  say();
  const body = element(
    "div", { class: "pick" },
    element("figure", { class: "placing" },
      element("div", { class: "item", html: screen.item, tabindex: "0", role: "group", "aria-label": "The row to compare with" }),
      element("figcaption", { html: screen.caption }),
      screen.title ? element("figcaption", { class: "of-group", dir: "auto" }, `in ${screen.title}`) : null),
    made.grid,
  );
  const buttons = [
    done,
    element("label", { class: "switch" }, unknown, element("span", {}, "Unmarked are unknown"), keyHint("n")),
    button("Not sure", "u", () => send({ action: "answer", rows: [], unknown: true })),
  ];
  const keys = {
    ...made.keys, Enter: store, u: () => send({ action: "answer", rows: [], unknown: true }),
    n: () => unknown.click(),
  };
  return { body, buttons, keys, focus: made.focus, marks: "mark-good" };
}

function sweepScreen(screen, { send }) {
  const marked = new Set();
  const store = () => send({ action: "answer", rows: [...marked], unknown: false });
  const done = button("Confirm", "Enter", store, { class: "primary" });
  const say = () => {
    const rest = screen.cells.length - marked.size;
    done.firstChild.textContent = marked.size ? `Take out ${marked.size}, confirm ${rest}` : `Confirm all ${rest}`;
  };
  const made = markGrid(screen.cells, { marked, word: "out", onChange: say });
  say();
  const body = element(
    "div", { class: "sweep" },
    element("div", { class: "of-group" },
      element("b", { dir: "auto" }, screen.title),
      element("span", { class: "count" }, rows(screen.count)),
      element("span", { class: "members" }, ...screen.members.map((html) => element("span", { class: "member", html })))),
    made.grid,
  );
  const skip = () => send({ action: "answer", rows: [], unknown: true });
  return {
    body, buttons: [done, button("Not sure", "u", skip)], keys: { ...made.keys, Enter: store, u: skip },
    focus: made.focus, marks: "mark-bad",
  };
}

function groupScreen(screen, { send }) {
  const marked = new Set();
  const split = () => marked.size && send({ action: "split", number: screen.number, rows: [...marked] });
  const done = button("Split off", "Enter", split, { class: "primary" });
  const say = () => {
    done.disabled = !marked.size;
    done.firstChild.textContent = marked.size ? `Split off ${rows(marked.size)} as a new group` : "Mark rows to split off";
  };
  const made = markGrid(screen.cells, { marked, word: "split", onChange: say });
  say();
  const last = screen.first + screen.cells.length;
  const turnTo = (first) => send({ action: "open", number: screen.number, first });
  const size = Math.max(screen.cells.length, 1);
  const body = element(
    "div", { class: "sweep" },
    element("p", { class: "of-group" }, `Rows ${screen.first + 1} to ${last} of ${screen.total.toLocaleString("en")}`),
    made.grid,
  );
  const through = () => send({ action: "sweep", number: screen.number });
  const close = () => send({ action: "next" });
  const buttons = [
    done, button("Look through", "i", through),
    screen.first > 0 ? button("Earlier rows", null, () => turnTo(Math.max(0, screen.first - size))) : null,
    last < screen.total ? button("More rows", null, () => turnTo(last)) : null,
    button("Back", "Esc", close),
  ];
  const keys = { ...made.keys, Enter: split, i: through, Escape: close };
  return { body, buttons, keys, focus: made.focus, marks: "mark-split" };
}
