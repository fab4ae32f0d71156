// The board: a row to place, and the groups it may be in.
function boardScreen(screen, { send, openSearch, openNew }) {
  const answer = (value) => send({ action: "answer", value });
  const cards = screen.cards.map((card, at) => {
    if (!card) return element("li", { class: "gap", "aria-hidden": "true" });
    const members = card.members.map((html) => element("span", { class: "member", html }));
    return element(
      "li", {},
      element(
        "button",
        {
          type: "button", class: `group-card${card.likely ? " likely" : ""}`,
          "data-number": card.number, onclick: () => answer(card.number),
          "aria-keyshortcuts": card.key || null,
          "aria-label": `${card.title}${card.count === null ? "" : `, ${rows(card.count)}`}${card.likely ? ", likely" : ""}${card.key ? `, key ${card.key}` : ""}`,
        },
        element("span", { class: "card-head" },
          card.key ? keyHint(card.key) : null,
          element("b", { dir: "auto" }, card.title),
          card.count === null ? null : element("span", { class: "count" }, card.count.toLocaleString("en")),
          card.likely ? element("span", { class: "tag" }, "likely") : null),
        element("span", { class: "members" }, ...members),
      ),
    );
  });
  const list = cards.length
    ? element("ul", { class: "cards", "aria-label": "Groups" }, ...cards)
    : element("p", { class: "empty" }, "There are no groups yet: press n to make the first one.");
  const more = screen.more > 0 ? button(`${screen.more} more groups`, "/", openSearch, { class: "more" }) : null;
  const buttons = [
    button("New group", "n", openNew, { class: "new" }),
    button("Not sure", "u", () => answer("skip")),
    cards.length ? button("None of these", "x", () => answer("none")) : null,
    button("Not of interest", "i", () => answer("aside")),
    cards.length ? button("Find", "/", openSearch) : null,
  ];
  const keys = { n: openNew, N: () => answer("new"), u: () => answer("skip"), i: () => answer("aside") };
  if (cards.length) {
    keys.x = () => answer("none");
    keys["/"] = openSearch;
  }
  for (const card of screen.cards) if (card?.key) keys[card.key] = () => answer(card.number);
  const body = element(
    "div", { class: "board" },
    element("figure", { class: "placing" },
      element("div", { class: "item", html: screen.item, tabindex: "0", role: "group", "aria-label": "The row to place" }),
      element("figcaption", { html: screen.caption })),
    element("div", { class: "choices" }, list, more),
  );
  return { body, buttons, keys };
}
