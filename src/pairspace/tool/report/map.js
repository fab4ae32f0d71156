// What a person does with the map: choose axes and colours, point, zoom, pan, select.
function startMap(root) {
  const data = readData(document.getElementById("map-data"));
  const picture = new Picture(root, data);
  const { canvas } = picture;
  const part = (name) => root.querySelector(name);
  const tip = part(".map-tip"), record = part(".map-record"), spoken = part(".map-spoken");
  const control = (name) => root.querySelector(`[name="${name}"]`);
  for (const space of data.spaces) {
    space.labels = (across, up) => {
      const label = (at) => (space.axes > 1 || at === 0 ? `${space.axis} ${at + 1}` : "");
      return [label(across), label(up)];
    };
  }

  // ---- Controls
  const options = (select, names) => select.replaceChildren(...names.map((name, at) => {
    const option = document.createElement("option");
    option.value = at;
    option.textContent = name;
    return option;
  }));
  const space = () => data.spaces[Number(control("space").value)];
  function chooseSpace() {
    const names = Array.from({ length: space().axes }, (_, at) => `${space().axis} ${at + 1}`);
    options(control("across"), names);
    options(control("up"), names);
    control("up").value = Math.min(1, names.length - 1);
    for (const name of ["across", "up"]) control(name).disabled = names.length < 3;
    part(".map-note").textContent = space().note;
    chooseAxes();
  }
  function chooseAxes() {
    const up = space().axes > 1 ? Number(control("up").value) : 1;
    picture.show(space(), Number(control("across").value), up);
    hide();
  }
  function chooseColour() {
    picture.colouring = colouring(data, data.columns[Number(control("colour").value) - 1]);
    showLegend();
    picture.later();
  }
  const checks = { names: "showNames", lines: "showLines", pictures: "showPictures" };
  for (const [name, what] of Object.entries(checks)) {
    control(name).addEventListener("change", (event) => {
      picture[what] = event.target.checked;
      picture.later();
    });
    picture[what] = control(name).checked;
  }
  control("lines").closest("label").hidden = !data.lines.length;
  control("pictures").closest("label").hidden = !data.sprite;
  options(control("space"), data.spaces.map((each) => each.name));
  control("space").closest("label").hidden = data.spaces.length < 2;
  options(control("colour"), ["nothing", ...data.columns.map((column) => column.name)]);
  // What was asked for comes first. Of the fields, one with few values: ids have one for each row.
  const few = data.columns.findIndex((column) =>
    column.kind === "category" && column.values.length <= MAX_CLASSES);
  control("colour").value = data.columns.length > data.fields ? 1 : few + 1;
  control("space").addEventListener("change", chooseSpace);
  control("across").addEventListener("change", chooseAxes);
  control("up").addEventListener("change", chooseAxes);
  control("colour").addEventListener("change", chooseColour);
  for (const [name, act] of [["in", () => picture.zoom(1.5)], ["out", () => picture.zoom(1 / 1.5)],
    ["reset", () => picture.fit()]]) part(`[data-zoom="${name}"]`).addEventListener("click", act);
  control("find").addEventListener("input", (event) => {
    const sought = event.target.value.trim().toLowerCase();
    let row = sought ? data.ids.findIndex((id) => id.toLowerCase() === sought) : -1;
    if (sought && row < 0) row = data.ids.findIndex((id) => id.toLowerCase().includes(sought));
    select(row < 0 ? [] : [row]);
  });

  // ---- Legend
  function showLegend() {
    const { legend, scale } = picture.colouring;
    const list = part(".map-legend");
    list.replaceChildren();
    for (const { name, look, count } of legend) {
      const entry = document.createElement("li"), mark = document.createElement("canvas");
      mark.width = mark.height = 24;
      mark.className = "map-mark";
      const pen = mark.getContext("2d");
      pen.fillStyle = look.colour;
      pen.beginPath();
      SHAPES[look.shape % SHAPES.length](pen, 12, 12, 9);
      pen.fill();
      const label = document.createElement("bdi");
      label.textContent = name;
      entry.append(mark, label, ` (${count.toLocaleString("en")})`);
      list.append(entry);
    }
    if (!scale) return;
    const entry = document.createElement("li"), bar = document.createElement("canvas");
    bar.width = 160;
    bar.height = 10;
    const pen = bar.getContext("2d");
    data.scale.forEach((colour, at) => {
      pen.fillStyle = colour;
      pen.fillRect((at * 160) / data.scale.length, 0, 160 / data.scale.length + 1, 10);
    });
    entry.append(`${scale.low} `, bar, ` ${scale.high}`);
    list.append(entry);
  }

  // ---- Records
  function thumbnail(row) {
    const { cell, across, url } = data.sprite;
    const side = Math.max(96, cell), times = side / cell, box = document.createElement("div");
    box.className = "map-thumbnail";
    box.style.width = box.style.height = `${side}px`;
    box.style.backgroundImage = `url("${url}")`;
    box.style.backgroundSize = `${across * cell * times}px auto`;
    box.style.backgroundPosition = `${-(row % across) * side}px ${-Math.floor(row / across) * side}px`;
    if (cell <= 32) box.style.imageRendering = "pixelated";
    return box;
  }
  const fields = data.columns.slice(data.columns.length - data.fields);
  const extra = data.columns.slice(0, data.columns.length - data.fields);
  function describe(row, most) {
    const found = document.createDocumentFragment(), title = document.createElement("b");
    title.textContent = data.ids[row];
    title.dir = "auto";
    found.append(title);
    if (data.sprite) found.append(thumbnail(row));
    const table = document.createElement("table");
    const named = extra.filter((column) => !fields.some((field) => field.name === column.name));
    for (const column of [...named, ...fields].slice(0, most)) {
      const line = table.insertRow(), name = document.createElement("th");
      name.textContent = column.name;
      name.scope = "row";
      const cell = document.createElement("td");
      cell.textContent = cellText(column, row);
      cell.dir = "auto";
      line.append(name, cell);
    }
    found.append(table);
    const more = named.length + fields.length - most;
    if (more > 0) {
      const note = document.createElement("p");
      note.textContent = `… ${more} more: click the point`;
      found.append(note);
    }
    return found;
  }
  function hide() { tip.hidden = true; }
  function hover(row) {
    if (row < 0) return hide();
    tip.replaceChildren(describe(row, 10));
    tip.hidden = false;
    const [x, y] = picture.toPixel(picture.x[row], picture.y[row]);
    const room = picture.width - tip.offsetWidth - 4;
    const left = x + 14 <= room ? x + 14 : x - 14 - tip.offsetWidth;
    tip.style.left = `${Math.max(Math.min(left, room), 4)}px`;
    tip.style.top = `${Math.max(Math.min(y + 14, picture.height - tip.offsetHeight - 4), 4)}px`;
    tip.dataset.row = row;
  }
  function select(rows) {
    picture.selected = rows;
    record.replaceChildren(...rows.map((row) => {
      const box = document.createElement("div");
      box.append(describe(row, Infinity));
      return box;
    }));
    record.hidden = !rows.length;
    spoken.textContent = rows.map((row) => [data.ids[row], ...fields.slice(0, 5).map((column) =>
      `${column.name} ${cellText(column, row)}`)].join(", ")).join("; ");
    hide();
    picture.later();
  }
  for (const button of document.querySelectorAll("[data-pair]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      select(button.dataset.pair.split(" ").map(Number));
      root.scrollIntoView({ block: "start" });
      canvas.focus({ preventScroll: true });
    });
  }

  // ---- Pointer
  const held = new Map();
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, at(event));
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (!held.has(event.pointerId)) return hover(picture.nearest(x, y, 12));
    const [x0, y0] = held.get(event.pointerId);
    const other = [...held].find(([id]) => id !== event.pointerId);
    if (other) {
      const [ox, oy] = other[1];
      const before = Math.hypot(x0 - ox, y0 - oy), after = Math.hypot(x - ox, y - oy);
      if (before > 0 && after > 0) picture.zoom(after / before, (x + ox) / 2, (y + oy) / 2);
    } else {
      picture.pan(x - x0, y - y0);
    }
    moved += Math.hypot(x - x0, y - y0);
    held.set(event.pointerId, [x, y]);
    hide();
  });
  const release = (event) => {
    if (!held.delete(event.pointerId) || event.type !== "pointerup" || moved > 4) return;
    const row = picture.nearest(...at(event), 14);
    select(row < 0 ? [] : [row]);
  };
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, release);
  canvas.addEventListener("pointerleave", hide);
  canvas.addEventListener("wheel", (event) => {
    // Only where the reader works with the map: the page must scroll past it.
    if (document.activeElement !== canvas && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    picture.zoom(Math.exp(-event.deltaY / 300), ...at(event));
    hide();
  }, { passive: false });
  canvas.addEventListener("dblclick", (event) => picture.zoom(2, ...at(event)));

  // ---- Keyboard
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const way = arrows[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (way && event.shiftKey) picture.pan(-60 * way[0], -60 * way[1]);
    else if (way) {
      const from = picture.selected.length ? picture.selected[0]
        : picture.nearest(picture.width / 2, picture.height / 2, Infinity);
      select([picture.selected.length ? picture.towards(from, ...way) : from]);
    } else if (event.key === "+" || event.key === "=") picture.zoom(1.5);
    else if (event.key === "-") picture.zoom(1 / 1.5);
    else if (event.key === "0") picture.fit();
    else if (event.key === "Escape") select([]);
    else return;
    event.preventDefault();
  });

  root.hidden = false;
  document.getElementById("map-still").hidden = true;
  chooseColour();
  picture.resize();
  chooseSpace();
  new ResizeObserver(() => picture.later()).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => picture.later());
}

startMap(document.getElementById("map"));
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
