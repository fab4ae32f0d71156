// The rows of the map: coordinates, fields and colours. Text of the data gets into the page as
// textContent only.
const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)).buffer;
const NO_CATEGORY = 65535;
const MAX_CLASSES = 20;
const GREY = "#9a9a9a";

function readData(element) {
  const data = JSON.parse(element.textContent);
  data.n = data.ids.length;
  for (const space of data.spaces) {
    const all = new Float32Array(bytesOf(space.data));
    space.values = Array.from({ length: space.axes }, (_, at) =>
      all.subarray(at * data.n, (at + 1) * data.n));
  }
  for (const column of data.columns) {
    if (column.kind === "number") column.numbers = new Float32Array(bytesOf(column.data));
    if (column.kind === "category") column.codes = new Uint16Array(bytesOf(column.data));
  }
  return data;
}

const asText = (number) => (Number.isNaN(number) ? "" : String(Number(number.toPrecision(6))));

function cellText(column, row) {
  if (column.kind === "number") return asText(column.numbers[row]);
  if (column.kind === "text") return column.values[row];
  return column.codes[row] === NO_CATEGORY ? "" : column.values[column.codes[row]];
}

// Classes have a number for each row, -1 for rows without one; a scale has a colour for each row.
function colouring(data, column) {
  if (!column) return { classes: null, legend: [] };
  if (column.kind === "number") {
    const known = column.numbers.filter(Number.isFinite).sort();
    if (new Set(known).size > MAX_CLASSES) return scaleOf(data, column, known);
  }
  const cells = data.ids.map((_, row) => cellText(column, row));
  const count = new Map();
  for (const cell of cells) if (cell) count.set(cell, (count.get(cell) || 0) + 1);
  const byCount = [...count.keys()].sort((a, b) => count.get(b) - count.get(a));
  const order = new Intl.Collator(undefined, { numeric: true });
  const names = byCount.slice(0, MAX_CLASSES).sort(order.compare);
  const number = new Map(names.map((name, at) => [name, at]));
  const classes = Int16Array.from(cells, (cell) => number.get(cell) ?? -1);
  const legend = names.map((name, at) => ({ name, look: lookOf(data, at), count: count.get(name) }));
  const rest = classes.filter((value) => value < 0).length;
  const other = byCount.length > MAX_CLASSES ? "other" : "unknown";
  if (rest) legend.push({ name: other, look: { colour: GREY, shape: 0 }, count: rest });
  return { classes, legend, names };
}

function lookOf(data, at) {
  const n = data.palette.length;
  return { colour: data.palette[at % n], shape: Math.floor(at / n) };
}

function scaleOf(data, column, known) {
  const low = known[Math.floor(0.01 * (known.length - 1))];
  const high = known[Math.ceil(0.99 * (known.length - 1))];
  const steps = data.scale.length - 1;
  const colours = Array.from(column.numbers, (value) => {
    if (!Number.isFinite(value)) return GREY;
    const share = high > low ? (value - low) / (high - low) : 0.5;
    return data.scale[Math.round(steps * Math.min(Math.max(share, 0), 1))];
  });
  return { classes: null, colours, legend: [], scale: { low: asText(low), high: asText(high) } };
}

// Boxes {x, y, w, h} around their centres, moved until none covers another or leaves the frame.
function moveApart(boxes, width, height) {
  for (let round = 0; round < 200; round++) {
    let moved = false;
    for (let i = 0; i < boxes.length; i++) {
      for (let j = 0; j < i; j++) {
        const a = boxes[i], b = boxes[j];
        const overX = (a.w + b.w) / 2 + 2 - Math.abs(a.x - b.x);
        const overY = (a.h + b.h) / 2 + 2 - Math.abs(a.y - b.y);
        if (overX <= 0 || overY <= 0) continue;
        moved = true;
        if (overY <= overX) {
          const step = (a.y < b.y || (a.y === b.y && i < j) ? -1 : 1) * (overY / 2 + 0.5);
          a.y += step; b.y -= step;
        } else {
          const step = (a.x < b.x ? -1 : 1) * (overX / 2 + 0.5);
          a.x += step; b.x -= step;
        }
      }
    }
    for (const box of boxes) {
      box.x = Math.min(Math.max(box.x, box.w / 2), Math.max(width - box.w / 2, box.w / 2));
      box.y = Math.min(Math.max(box.y, box.h / 2), Math.max(height - box.h / 2, box.h / 2));
    }
    if (!moved) return;
  }
}

function ticks(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) {
    found.push(Number(at.toPrecision(6)) || 0);
  }
  return found;
}
