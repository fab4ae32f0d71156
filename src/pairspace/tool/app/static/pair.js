// Two rows side by side.
function pairScreen(screen, { send }) {
  const side = (html, caption, name) =>
    element("figure", {},
      element("div", { class: "item", html, tabindex: "0", role: "group", "aria-label": name }),
      element("figcaption", { html: caption }));
  const answer = (value) => () => send({ action: "answer", value });
  return {
    body: element("div", { class: "pair" },
      side(screen.left, screen.left_caption, "The first row"),
      side(screen.right, screen.right_caption, "The second row")),
    buttons: [
      button("Same", "s", answer("same"), { class: "same" }),
      button("Different", "d", answer("different"), { class: "different" }),
      button("Not sure", "u", answer("skip")),
    ],
    keys: { s: answer("same"), d: answer("different"), u: answer("skip") },
  };
}

// A notice in place of a question: its buttons carry what to send.
function noticeScreen(screen, { send }) {
  const body = element("div", { class: "notice", html: screen.notice });
  const keys = {};
  for (const each of body.querySelectorAll("[data-choice]")) {
    const choose = () => send({ action: "choose", choice: each.dataset.choice });
    each.addEventListener("click", choose);
    if (each.dataset.key) keys[each.dataset.key] = choose;
  }
  return { body, buttons: [], keys };
}
