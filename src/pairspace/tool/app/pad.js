// The card with the question: two items, four answers, and the keys for them.
const KEYS = { s: "same", d: "different", u: "skip", z: "undo" };
const LABELS = { same: "Same", different: "Different", skip: "Not sure", undo: "Undo" };

function writes(event) {
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
    <div class="instead"></div>
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

  // The answer to one question must not become the answer to the next: nothing is sent between
  // an answer and the question after it.
  let answered = null;
  function send(message) {
    if (answered === model.turn) return;
    answered = model.turn;
    card.classList.add("waiting");
    model.send_msg({ ...message, turn: model.turn });
  }

  function show() {
    find(".ask").textContent = model.ask;
    find(".item.left").innerHTML = model.left;
    find(".item.right").innerHTML = model.right;
    find("figcaption.left").innerHTML = model.left_caption;
    find("figcaption.right").innerHTML = model.right_caption;
    find(".instead").innerHTML = model.instead;
    find(".status").innerHTML = model.status;
    card.classList.toggle("interrupted", Boolean(model.instead));
    for (const item of card.querySelectorAll(".item")) item.scrollTop = 0;
    for (const button of buttons)
      button.disabled = !model.allowed.includes(button.className);
    card.dataset.turn = model.turn;
    card.classList.remove("waiting");
  }

  function onKey(event) {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || writes(event)) return;
    const action = KEYS[event.key.toLowerCase()];
    const choice = card.querySelector(`.instead [data-key="${CSS.escape(event.key)}"]`);
    if (!action && !choice) return;
    event.preventDefault();
    event.stopPropagation();
    if (choice) choose(choice);
    else if (model.allowed.includes(action)) send({ action });
  }

  const choose = (button) => send({ action: "choose", choice: button.dataset.choice });
  find(".instead").addEventListener("click", (event) => {
    const button = event.target.closest("[data-choice]");
    if (button) choose(button);
  });
  // A notebook has keys of its own: there, ours count only inside the card.
  const listener = model.everywhere ? document : card;
  listener.addEventListener("keydown", onKey, true);
  if (!model.everywhere)
    card.addEventListener("pointerdown", () => card.focus({ preventScroll: true }));
  model.on("remove", () => listener.removeEventListener("keydown", onKey, true));
  // Last of all changes of a question, so the card is drawn once and whole.
  model.on("turn", show);
  show();
  return card;
}
