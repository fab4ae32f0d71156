// Beside the question: the result so far, the groups, the history.
function sidePanels({ model, send, groupsNow, turnKind }) {
  const result = element("section", { class: "result", "aria-label": "Result" });
  const groupList = element("ul", { class: "group-list" });
  const merging = element("div", { class: "merging", "aria-live": "polite" });
  const groups = element("section", { class: "groups", "aria-label": "Groups" },
    element("h2", {}, "Groups"), groupList, merging);
  const steps = element("ol", { class: "steps" });
  const history = element("section", { class: "history", "aria-label": "History" }, element("h2", {}, "History"), steps);
  const curveBox = element("details", { class: "curve" }, element("summary", {}, "Progress"),
    element("p", { class: "hint" }, "Test questions judged right, by number of answers (bars: ± 2 standard errors)"),
    model.get_child("curve"));
  const chosen = new Set(); // groups to merge
  let renaming = null;

  // What the programs' answers are worth, as far as a person has looked at them.
  function auditOf(each) {
    return element("div", { class: "audit" },
      element("div", { html: each.html }),
      button("Audit its answers", null, () => send({ action: "audit", name: each.name }), { class: "link", "aria-label": `Audit the answers of ${each.name}` }));
  }

  function showResult() {
    const side = JSON.parse(model.side);
    if (!side.summary) return;
    const facts = [];
    if (side.not_sure) facts.push(`${rows(side.not_sure)} not sure`);
    if (side.aside) facts.push(`${rows(side.aside)} not of interest`);
    facts.push(side.answers === 1 ? "1 answer stored" : `${side.answers.toLocaleString("en")} answers stored`);
    // Where nothing is left to ask, advice to go on would make no sense.
    const verdict = turnKind() === "done" ? "" : side.verdict;
    result.replaceChildren(
      element("p", { class: "summary", html: side.summary }),
      element("p", { class: "row" },
        side.unsure ? button(`${side.unsure.toLocaleString("en")} unsure: review ${side.unsure === 1 ? "it" : "them"}`, null, () => send({ action: "review" }), { class: "link" }) : "",
        side.outvoted ? button(`${side.outvoted === 1 ? "1 answer is" : `${side.outvoted} answers are`} outvoted: look at ${side.outvoted === 1 ? "it" : "them"}`, null, () => send({ action: "outvoted" }), { class: "link" }) : ""),
      side.disagreements ? element("p", { class: "row" }, button(side.disagreements === 1 ? "1 disagreement: resolve it" : `${side.disagreements} disagreements: resolve them`, null, () => send({ action: "disagreements" }), { class: "link" })) : "",
      element("p", { class: "facts" }, facts.join(" · ")),
      ...side.audits.map(auditOf),
      verdict ? element("p", { class: `verdict${side.enough ? " yes" : ""}` }, verdict) : "",
    );
    steps.replaceChildren(...side.history.map((each) =>
      element("li", {},
        element("span", { class: "what", html: each.text }),
        element("small", {}, `${each.time}, ${each.by}`),
        element("span", { class: "row" },
          button("Take back", null, () => send({ action: "take_back", id: each.id, change: false }), { class: "link", "aria-label": `Take back: ${plain(each.text)}` }),
          ["pair", "board", "pick", "sweep"].includes(each.kind)
            ? button("Change", null, () => send({ action: "take_back", id: each.id, change: true }), { class: "link", "aria-label": `Change: ${plain(each.text)}` })
            : ""))));
    history.hidden = side.history.length === 0;
  }

  function nameField(group) {
    const input = element("input", { type: "text", "aria-label": `Name of ${group.title}`, value: group.name, placeholder: group.title, maxlength: 80 });
    const end = (save) => {
      if (renaming === null) return;
      renaming = null;
      if (save && input.value.trim() !== group.name) send({ action: "rename", number: group.number, name: input.value });
      showGroups();
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        end(event.key === "Enter");
      }
    });
    input.addEventListener("blur", () => end(true));
    requestAnimationFrame(() => input.focus());
    return input;
  }

  function showGroups() {
    if (renaming !== null && groupList.querySelector("input[type=text]")) return; // being typed in
    const all = groupsNow().slice().sort((a, b) => a.number - b.number);
    const focused = groupList.getRootNode().activeElement?.dataset?.focus;
    for (const number of chosen) if (!all.some((group) => group.number === number)) chosen.delete(number);
    groupList.replaceChildren(...all.map((group) => {
      const box = element("input", {
        type: "checkbox", "aria-label": `Choose ${group.title} to merge`, "data-focus": `choose${group.number}`,
        onchange: () => {
          if (box.checked) chosen.add(group.number);
          else chosen.delete(group.number);
          if (chosen.size > 2) chosen.delete([...chosen][0]);
          showGroups();
        },
      });
      box.checked = chosen.has(group.number);
      return element("li", {}, box,
        renaming === group.number ? nameField(group)
          : element("button", { type: "button", class: "link name", dir: "auto", title: "Rename", "data-focus": `name${group.number}`, "aria-label": `Rename ${group.title}`,
              onclick: () => { renaming = group.number; showGroups(); } }, group.title),
        element("span", { class: "count" }, group.count.toLocaleString("en")),
        button("Look through", null, () => send({ action: "sweep", number: group.number }), { class: "link", "aria-label": `Look through ${group.title}`, "data-focus": `sweep${group.number}` }),
        button("Open", null, () => send({ action: "open", number: group.number }), { class: "link", "aria-label": `Open ${group.title}, to split it`, "data-focus": `open${group.number}` }));
    }));
    if (focused) groupList.querySelector(`[data-focus="${focused}"]`)?.focus();
    groups.hidden = all.length === 0;
    const two = [...chosen].map((number) => all.find((group) => group.number === number));
    const into = (target, source) => button(`Merge into “${target.title}”`, null, () => {
      chosen.clear();
      send({ action: "merge", target: target.number, source: source.number });
    });
    merging.replaceChildren(...(two.length === 2 ? [into(two[0], two[1]), into(two[1], two[0])]
      : [element("p", { class: "hint" }, all.length > 1 ? "Click a name to change it. Choose two groups to merge them; open one to split it." : "Click the name to change it.")]));
  }
  model.on("side", showResult);
  model.on("groups", showGroups);
  showResult();
  showGroups();
  const downloads = element("section", { class: "downloads", "aria-label": "Download" },
    element("h2", {}, "Download"), model.get_child("downloads"));
  return { result, groups, history, downloads, curveBox, showResult };
}
