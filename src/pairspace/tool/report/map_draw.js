// Drawing: points on a canvas, names of classes as elements above it.
const MARGIN = { left: 46, right: 10, top: 10, bottom: 36 };
const MIN_ZOOM = 0.1, MAX_ZOOM = 1e4;  // coordinates have seven digits
const SHAPES = [
  (p, x, y, r) => { p.moveTo(x + r, y); p.arc(x, y, r, 0, 7); },
  (p, x, y, r) => { p.moveTo(x, y - r); p.lineTo(x + r, y + r); p.lineTo(x - r, y + r); p.closePath(); },
  (p, x, y, r) => p.rect(x - r, y - r, 2 * r, 2 * r),
];

class Picture {
  constructor(root, data) {
    this.data = data;
    this.canvas = root.querySelector("canvas");
    this.names = root.querySelector(".map-names");
    this.pen = this.canvas.getContext("2d");
    this.selected = [];
    this.sprite = null;
    if (data.sprite) {
      this.sprite = new Image();
      this.sprite.addEventListener("load", () => this.later());
      this.sprite.src = data.sprite.url;
    }
  }

  show(space, across, up) {
    this.x = space.values[across];
    this.y = space.values[up] || new Float32Array(this.data.n);
    this.labels = space.labels(across, up);
    this.fit();
  }

  fit() {
    const range = (values) => {
      let low = Infinity, high = -Infinity;
      for (const value of values) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (!(high > low)) { low = (low || 0) - 1; high = low + 2; }
      const edge = 0.05 * (high - low);
      return [low - edge, high + edge];
    };
    this.view = [...range(this.x), ...range(this.y)];
    this.whole = this.view;
    this.later();
  }

  get frame() {
    return {
      left: MARGIN.left, top: MARGIN.top,
      width: Math.max(this.width - MARGIN.left - MARGIN.right, 1),
      height: Math.max(this.height - MARGIN.top - MARGIN.bottom, 1),
    };
  }

  toPixel(x, y) {
    const [x0, x1, y0, y1] = this.view, f = this.frame;
    return [f.left + ((x - x0) / (x1 - x0)) * f.width, f.top + ((y1 - y) / (y1 - y0)) * f.height];
  }

  zoom(factor, px, py) {
    const f = this.frame, [x0, x1, y0, y1] = this.view;
    const times = ((this.whole[1] - this.whole[0]) / (x1 - x0)) * factor;
    if (times > MAX_ZOOM || times < MIN_ZOOM) return;
    const sx = px === undefined ? 0.5 : (px - f.left) / f.width;
    const sy = py === undefined ? 0.5 : 1 - (py - f.top) / f.height;
    const x = x0 + sx * (x1 - x0), y = y0 + sy * (y1 - y0);
    this.view = [x - (x - x0) / factor, x + (x1 - x) / factor, y - (y - y0) / factor, y + (y1 - y) / factor];
    this.later();
  }

  pan(dx, dy) {
    const f = this.frame, [x0, x1, y0, y1] = this.view;
    const x = (dx / f.width) * (x1 - x0), y = (dy / f.height) * (y1 - y0);
    this.view = [x0 - x, x1 - x, y0 + y, y1 + y];
    this.later();
  }

  nearest(px, py, reach) {
    const pictured = this.pictured?.get(this.pictureAt(px, py));
    if (pictured !== undefined && reach < Infinity) return pictured;
    let best = -1, least = reach * reach;
    for (let row = 0; row < this.data.n; row++) {
      const [x, y] = this.toPixel(this.x[row], this.y[row]);
      const away = (x - px) ** 2 + (y - py) ** 2;
      if (away < least) { least = away; best = row; }
    }
    return best;
  }

  // The nearest row to the right (1, 0), left, above or below a row.
  towards(row, dx, dy) {
    const [x0, y0] = this.toPixel(this.x[row], this.y[row]);
    let best = row, least = Infinity;
    for (let other = 0; other < this.data.n; other++) {
      const [x, y] = this.toPixel(this.x[other], this.y[other]);
      const ahead = (x - x0) * dx + (y - y0) * dy;
      const aside = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
      if (ahead > 0.5 && ahead + 2 * aside < least) { least = ahead + 2 * aside; best = other; }
    }
    return best;
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  resize() {
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  draw() {
    this.resize();
    const { pen, frame: f } = this;
    const colours = getComputedStyle(this.canvas);
    const colour = (name) => colours.getPropertyValue(name).trim();
    pen.clearRect(0, 0, this.width, this.height);
    this.drawAxes(colour("--line"), colour("--soft"));
    pen.save();
    pen.beginPath();
    pen.rect(f.left, f.top, f.width, f.height);
    pen.clip();
    if (this.showLines) this.drawLines(colour("--ink"), colour("--red"));
    this.pictured = null;
    if (this.showPictures && this.sprite && this.sprite.complete) this.drawPictures();
    else this.drawPoints();
    for (const row of this.selected) {
      pen.beginPath();
      pen.arc(...this.toPixel(this.x[row], this.y[row]), 9, 0, 7);
      pen.lineWidth = 2.5;
      pen.strokeStyle = colour("--ink");
      pen.stroke();
    }
    pen.restore();
    this.drawNames();
    this.canvas.dataset.view = JSON.stringify({ view: this.view, frame: f });
  }

  drawAxes(line, ink) {
    const { pen, frame: f } = this, [x0, x1, y0, y1] = this.view;
    pen.font = "12px system-ui, sans-serif";
    pen.strokeStyle = line;
    pen.fillStyle = ink;
    pen.lineWidth = 1;
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const at of ticks(x0, x1, Math.max(f.width / 90, 2))) {
      const [x] = this.toPixel(at, y0);
      pen.strokeRect(x, f.top, 0, f.height);
      pen.fillText(String(at).replace("-", "−"), x, f.top + f.height + 5);
    }
    pen.fillText(this.labels[0], f.left + f.width / 2, f.top + f.height + 20);
    if (!this.labels[1]) return;
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const at of ticks(y0, y1, Math.max(f.height / 70, 2))) {
      const [, y] = this.toPixel(x0, at);
      pen.strokeRect(f.left, y, f.width, 0);
      pen.fillText(String(at).replace("-", "−"), f.left - 5, y);
    }
    pen.save();
    pen.translate(9, f.top + f.height / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(this.labels[1], 0, 0);
    pen.restore();
  }

  drawPoints() {
    const { pen, data, colouring: found } = this;
    const r = Math.min(Math.max(130 / Math.sqrt(data.n), 1.4), 4.5);
    pen.globalAlpha = Math.min(Math.max(6000 / data.n, 0.45), 0.85);
    // A path for each run of rows of the same look: in the order of the rows, no class hides another.
    let look = null;
    for (let row = 0; row < data.n; row++) {
      const [x, y] = this.toPixel(this.x[row], this.y[row]);
      if (!(x > -9 && y > -9 && x < this.width + 9 && y < this.height + 9)) continue;
      const at = found.classes ? found.classes[row] : -1;
      const mine = found.colours ? found.colours[row] : at;
      if (mine !== look) {
        if (look !== null) pen.fill();
        look = mine;
        pen.beginPath();
        pen.fillStyle = found.colours ? mine : at < 0 ? GREY : lookOf(data, at).colour;
      }
      SHAPES[at < 0 ? 0 : lookOf(data, at).shape % SHAPES.length](pen, x, y, r);
    }
    if (look !== null) pen.fill();
    pen.globalAlpha = 1;
  }

  get pictureSide() { return Math.max(this.data.sprite.cell, 24); }

  pictureAt(x, y) {
    const step = this.pictureSide + 3;
    return `${Math.floor(x / step)},${Math.floor(y / step)}`;
  }

  // Thumbnails where they cover no other thumbnail, coloured frames around them.
  drawPictures() {
    const { pen, data, colouring: found } = this, { cell, across } = data.sprite;
    const side = this.pictureSide;
    this.pictured = new Map();
    this.drawPoints();
    pen.imageSmoothingEnabled = cell > 32;
    for (let row = 0; row < data.n; row++) {
      const [x, y] = this.toPixel(this.x[row], this.y[row]);
      const place = this.pictureAt(x, y);
      if (this.pictured.has(place) || !(x > 0 && y > 0 && x < this.width && y < this.height)) continue;
      this.pictured.set(place, row);
      const [left, top] = place.split(",").map((each) => each * (side + 3));
      const at = found.classes ? found.classes[row] : -1;
      pen.fillStyle = found.colours ? found.colours[row] : at < 0 ? GREY : lookOf(data, at).colour;
      pen.fillRect(left - 1.5, top - 1.5, side + 3, side + 3);
      pen.drawImage(this.sprite, (row % across) * cell, Math.floor(row / across) * cell, cell, cell,
        left, top, side, side);
    }
  }

  drawLines(ink, red) {
    const { pen } = this;
    for (const [i, j, same, violated] of this.data.lines) {
      pen.beginPath();
      pen.moveTo(...this.toPixel(this.x[i], this.y[i]));
      pen.lineTo(...this.toPixel(this.x[j], this.y[j]));
      pen.setLineDash(same ? [] : [2, 4]);
      pen.strokeStyle = violated ? red : ink;
      pen.globalAlpha = violated ? 0.9 : 0.3;
      pen.lineWidth = violated ? 1.6 : 1;
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  drawNames() {
    const { names, classes } = this.colouring;
    this.names.replaceChildren();
    if (!this.showNames || !names) return;
    const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
    const found = names.map((name, at) => {
      const px = [], py = [];
      for (let row = 0; row < this.data.n; row++) {
        if (classes[row] !== at) continue;
        const [x, y] = this.toPixel(this.x[row], this.y[row]);
        if (x >= 0 && y >= 0 && x <= this.width && y <= this.height) { px.push(x); py.push(y); }
      }
      return { name, at, x: median(px), y: median(py) };
    }).filter((box) => box.x !== undefined);
    for (const box of found) {
      box.element = document.createElement("span");
      box.element.textContent = box.name;
      box.element.style.borderColor = lookOf(this.data, box.at).colour;
      this.names.append(box.element);
      box.w = box.element.offsetWidth;
      box.h = box.element.offsetHeight;
    }
    moveApart(found, this.width, this.height);
    for (const box of found) {
      box.element.style.left = `${box.x - box.w / 2}px`;
      box.element.style.top = `${box.y - box.h / 2}px`;
    }
  }
}
