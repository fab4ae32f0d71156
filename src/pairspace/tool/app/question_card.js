// The question card: two items, four buttons, and their keys.
const KEYS = { s: "same", d: "different", u: "skip", z: "undo" };
const RESEND_AFTER = 1500; // milliseconds
const RESENT = 5; // times
const LABELS = { same: "Same", different: "Different", skip: "Not sure", undo: "Undo" };

function isTyping(event) {
  const target = event.composedPath()[0];
  return (
    target instanceof Element &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

export function render({ model }) {
  const card = document.createElement("div");
  card.className = "card";
  card.tabIndex = -1;
  card.innerHTML = `
    <h1 class="ask"></h1>
    <div class="pair">
      <figure><div class="item left"></div><figcaption class="left"></figcaption></figure>
      <figure><div class="item right"></div><figcaption class="right"></figcaption></figure>
    </div>
    <div class="notice"></div>
    <div class="buttons"></div>
    <p class="status" role="status" aria-live="polite"></p>`;
  const find = (selector) => card.querySelector(selector);
  const buttons = Object.entries(KEYS).map(([key, action]) => {
    const button = document.createElement("button");
    button.className = action;
    button.type = "button";
    button.innerHTML = `<span>${LABELS[action]}</span><kbd>${key}</kbd>`;
    button.addEventListener("click", () => send({ action }));
    find(".buttons").append(button);
    return button;
  });

  // After an answer nothing is sent until the next question is shown, so that a second key press
  // does not answer a question that nobody has seen.
  let answered = null;
  function send(message) {
    if (answered === model.turn) return;
    answered = model.turn;
    card.classList.add("waiting");
    // A message is lost if the page's connection is not ready yet. The server ignores messages of
    // earlier turns, so it can be sent again until the turn changes.
    const sent = { ...message, turn: model.turn };
    let tries = 0;
    const again = setInterval(() => {
      if (model.turn !== sent.turn || (tries += 1) > RESENT) clearInterval(again);
      else model.send_msg(sent);
    }, RESEND_AFTER);
    model.send_msg(sent);
  }

  function show() {
    find(".ask").textContent = model.ask;
    find(".item.left").innerHTML = model.left;
    find(".item.right").innerHTML = model.right;
    find("figcaption.left").innerHTML = model.left_caption;
    find("figcaption.right").innerHTML = model.right_caption;
    find(".notice").innerHTML = model.notice;
    find(".status").innerHTML = model.status;
    card.classList.toggle("has-notice", Boolean(model.notice));
    for (const item of card.querySelectorAll(".item")) item.scrollTop = 0;
    for (const button of buttons)
      button.disabled = !model.allowed.includes(button.className);
    card.dataset.turn = model.turn;
    card.classList.remove("waiting");
  }

  function onKey(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const action = KEYS[event.key.toLowerCase()];
    const choice = card.querySelector(`.notice [data-key="${CSS.escape(event.key)}"]`);
    if (!action && !choice) return;
    event.preventDefault();
    event.stopPropagation();
    if (choice) choose(choice);
    else if (model.allowed.includes(action)) send({ action });
  }

  const choose = (button) => send({ action: "choose", choice: button.dataset.choice });
  find(".notice").addEventListener("click", (event) => {
    const button = event.target.closest("[data-choice]");
    if (button) choose(button);
  });
  // A notebook has its own keys: there, ours work only inside the card.
  const listener = model.global_keys ? document : card;
  listener.addEventListener("keydown", onKey, true);
  if (!model.global_keys)
    card.addEventListener("pointerdown", () => card.focus({ preventScroll: true }));
  model.on("remove", () => listener.removeEventListener("keydown", onKey, true));
  // The turn changes last, so the card is drawn once, with all texts.
  model.on("turn", show);
  show();
  return card;
}
