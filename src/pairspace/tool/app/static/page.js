// The page: header, question, and what stands beside it.
const RESEND_AFTER = 500; // milliseconds
const RESENT = 16; // times
const SCREENS = {
  board: boardScreen, pick: pickScreen, sweep: sweepScreen, group: groupScreen, pair: pairScreen,
  notice: noticeScreen, done: noticeScreen,
};
const KINDS = { mixed: "Mixed", board: "Board", pick: "Pick", sweep: "Sweep", pair: "Pairs" };

export function render({ model }) {
  const page = element("div", { class: "page" });
  const memory = {}; // what one screen leaves for the next
  let screen = JSON.parse(model.screen);
  let shown = { keys: {} };
  let answered = null;

  // After an answer nothing is sent until the next screen is shown, so that a second key press
  // does not answer a question that nobody has seen. A message is lost if the page's connection is
  // not ready yet; the server ignores messages of earlier turns, so it can be sent again until the
  // turn changes.
  function send(message) {
    if (answered === screen.turn) return;
    answered = screen.turn;
    page.classList.add("waiting");
    const sent = { ...message, turn: screen.turn };
    let tries = 0;
    const again = setInterval(() => {
      if (screen.turn !== sent.turn || (tries += 1) > RESENT) clearInterval(again);
      else model.send_msg(sent);
    }, RESEND_AFTER);
    model.send_msg(sent);
  }
  const tell = (message) => model.send_msg(message);
  const groupsNow = () =>
    JSON.parse(model.groups).map(([number, name, title, count]) => ({ number, name, title, count }));

  // ---- The header
  const kind = element("select", { onchange: () => send({ action: "mode", value: kind.value }) },
    ...Object.entries(KINDS).map(([value, label]) => element("option", { value }, label)));
  const blind = element("input", { type: "checkbox", onchange: () => send({ action: "blind", value: blind.checked }) });
  const name = element("input", { type: "text", maxlength: 80, autocomplete: "off", onchange: () => tell({ action: "name", value: name.value }) });
  const title = element("span", { class: "data-name", dir: "auto" });
  const header = element("header", {},
    element("b", {}, "pairspace"), title,
    element("label", {}, "Questions ", kind),
    element("label", {}, blind, " Blind"),
    element("label", {}, "Your name ", name));
  blind.title = "Hide the map, all predictions and the answers of others";

  // ---- The question
  const ask = element("h1", { id: "pairspace-ask" });
  const means = element("p", { class: "means" });
  const queue = element("div", { class: "queue" });
  const body = element("div", { class: "body" });
  const panel = element("div", { class: "panel-box" });
  const buttons = element("div", { class: "buttons" });
  const status = element("p", { class: "status", role: "status" });
  const announce = element("p", { class: "sr-only", "aria-live": "polite" });
  const main = element("main", { tabindex: "-1", "aria-labelledby": "pairspace-ask" },
    ask, means, queue, body, panel, buttons, status, announce);

  function closePanel() {
    panel.replaceChildren();
    main.focus({ preventScroll: true });
  }
  function openPanel(make) {
    const made = make();
    panel.replaceChildren(made.box);
    made.focus();
  }
  const place = (value, more = {}) => send({ action: "answer", value, ...more });
  const context = {
    send, memory,
    openSearch: () => openPanel(() => searchPanel({ groups: groupsNow(), onChoose: place, onClose: closePanel })),
    openNew: () => openPanel(() => newGroupPanel({
      groups: groupsNow(), onNew: (label) => place("new", { name: label }), onJoin: place, onClose: closePanel,
    })),
  };
  const undo = () => send({ action: "undo" });

  function show() {
    const asked = answered !== null && answered === screen.turn; // this tab, not another one
    screen = JSON.parse(model.screen);
    if (!screen.kind) return;
    const root = page.getRootNode();
    const inQuestion = !root.activeElement || main.contains(root.activeElement);
    shown = SCREENS[screen.kind](screen, context);
    page.dataset.kind = screen.kind;
    ask.textContent = screen.ask ?? "";
    ask.hidden = !screen.ask;
    means.textContent = settings.means && screen.kind !== "pair" && screen.ask ? `The same means: ${settings.means}` : "";
    body.className = `body ${shown.marks ?? ""}`;
    body.replaceChildren(shown.body);
    panel.replaceChildren();
    const back = button(screen.kind === "notice" ? "Go back" : "Undo", "z", undo, { class: "undo" });
    back.disabled = !screen.allowed.includes("undo");
    buttons.replaceChildren(...shown.buttons.filter(Boolean), back);
    queue.replaceChildren(
      ...(screen.note ? [element("span", { class: "said", html: screen.note })] : []),
      ...(screen.queue ? [element("span", {}, screen.queue), button("Stop", null, () => send({ action: "next" }), { class: "link" })] : []));
    status.innerHTML = screen.status;
    announce.textContent = [screen.ask, screen.caption ? plain(screen.caption) : ""].join(" ");
    main.scrollTop = body.scrollTop = 0;
    page.dataset.turn = screen.turn;
    page.classList.remove("waiting");
    side.showResult();
    // On a telephone the question is above what was clicked.
    if (asked && !inQuestion && main.getBoundingClientRect().top < 0) main.scrollIntoView();
    if (inQuestion && shown.focus && !settings.notebook) shown.focus();
    else if (inQuestion && root.activeElement !== main) main.focus({ preventScroll: true });
  }

  // ---- Keys
  function onKey(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const target = event.composedPath()[0];
    const onControl = target instanceof Element && target.closest("button, a, summary, input, .map") && !target.closest(".grid");
    if ((event.key === "Enter" || event.key === " ") && onControl) return; // it presses the button
    if (target instanceof Element && target.closest(".map") && (event.key === "l" || event.key in ARROWS)) return;
    if (event.key === "Escape" && panel.firstChild) { closePanel(); return; }
    const key = event.key.length === 1 && !(event.key in shown.keys) ? event.key.toLowerCase() : event.key;
    const act = key === "z" ? (screen.allowed?.includes("undo") ? undo : null) : shown.keys[key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (act && !page.classList.contains("waiting")) act();
  }

  let settings = JSON.parse(model.settings);
  const map = mapSection({ model, send, tell, groupsNow });
  const side = sidePanels({ model, send, groupsNow, turnKind: () => screen.kind });
  const aside = element("aside", { "aria-label": "Result, map, groups and history" },
    side.result, side.downloads, map.section, side.groups, side.history, side.curveBox);

  function showSettings() {
    settings = JSON.parse(model.settings);
    if (!settings.columns) return;
    title.textContent = settings.title;
    kind.value = settings.kind;
    blind.checked = settings.blind;
    if (name.getRootNode().activeElement !== name) name.value = settings.name;
    page.classList.toggle("blind", settings.blind);
    page.classList.toggle("notebook", settings.notebook);
    map.showColumns(settings);
  }

  // The colours of the map come from the server, which must know the scheme: said until it answers.
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const sayScheme = () => tell({ action: "scheme", value: scheme.matches });
  scheme.addEventListener("change", sayScheme);
  if (scheme.matches) {
    const before = model.legend;
    const again = setInterval(() => (model.legend !== before ? clearInterval(again) : sayScheme()), RESEND_AFTER);
    setTimeout(sayScheme, 100);
  }

  page.append(header, main, aside);
  showSettings();
  // A notebook has its own keys: there, ours work only inside the page.
  const listener = settings.notebook ? page : document;
  listener.addEventListener("keydown", onKey, true);
  if (settings.notebook) main.addEventListener("pointerdown", () => { if (!main.contains(main.getRootNode().activeElement)) main.focus({ preventScroll: true }); });
  model.on("remove", () => {
    listener.removeEventListener("keydown", onKey, true);
    scheme.removeEventListener("change", sayScheme);
  });
  model.on("screen", show);
  model.on("settings", showSettings);
  show();
  return page;
}
