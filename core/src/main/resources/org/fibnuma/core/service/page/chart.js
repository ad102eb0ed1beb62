/** Time lines as SVG, with the values under the pointer. */

import { duration, si } from "./format.js";
import { make, setText } from "./table.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 100;
/** Parts of the scale with a label, from the top, and parts of the window, from the left. */
const VALUE_TICKS = [1, 0.75, 0.5, 0.25, 0];
const TIME_TICKS = [1, 2 / 3, 1 / 3, 0];
/** A line has a gap where more than this number of steps has no value. */
const GAP_STEPS = 2.5;
const MOST_PARTS = 3;

function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  return element;
}

/** Returns the least of 1, 2, 4, 5, 10, 20 and so on that is not below a value, at least 10. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return Math.max(10, [1, 2, 4, 5, 10].map(step => step * power).find(step => step >= value));
}

/** Returns the value of the point that is nearest to a time; null if none is near enough. */
export function valueAt(line, timeMs, mostMs) {
  let nearest = null;
  for (const point of line) {
    if (Math.abs(point.timeMs - timeMs) <= (nearest === null ? mostMs : Math.abs(nearest.timeMs - timeMs))) {
      nearest = point;
    }
  }
  return nearest === null ? null : nearest.value;
}

function path(points) {
  return points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

function area(points, base) {
  return points.length < 2 ? "" :
    `${path(points)}L${points.at(-1)[0].toFixed(1)} ${base}L${points[0][0].toFixed(1)} ${base}Z`;
}

/** A chart of one or two lines on one scale from 0, the first with a filled area. */
export class Chart {
  #isMirrored;
  #windowMs;
  #stepMs;
  #texts;
  #areas;
  #paths;
  #marker = svg("path", { class: "marker" });
  #readout = make("div", "readout");
  #axis = [];
  #unit = null;
  /** Position of the pointer from 0 to 1, or null. */
  #pointer = null;
  #drawn = null;

  /**
   * Adds a chart to an element.
   *
   * @param lines      class and text of each line.
   * @param label      for those who do not see it.
   * @param windowMs   length of the lines.
   * @param stepMs     time between two points.
   * @param isMirrored whether the second line grows downwards, so that equal lines do not hide each other; if not,
   *                   the chart has labels of values and times.
   */
  constructor(parent, { lines, label, windowMs, stepMs, isMirrored = false }) {
    this.#isMirrored = isMirrored;
    this.#windowMs = windowMs;
    this.#stepMs = stepMs;
    this.#texts = lines.map(line => line.text);
    const image = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label,
    });
    for (const y of isMirrored ? [0.5] : VALUE_TICKS) {
      image.append(svg("path", { class: "grid", d: `M0 ${HEIGHT * y}H${WIDTH}` }));
    }
    for (const part of isMirrored ? [] : TIME_TICKS.slice(0, -1)) {
      image.append(svg("path", { class: "grid", d: `M${WIDTH * (1 - part)} 0V${HEIGHT}` }));
    }
    this.#areas = lines.slice(0, isMirrored ? 2 : 1).map(line => svg("path", { class: `area ${line.name}` }));
    this.#paths = lines.map(line => svg("path", { class: `line ${line.name}` }));
    image.append(...this.#areas, ...this.#paths.toReversed(), this.#marker);
    const plot = make("div", "plot");
    plot.append(image, this.#readout);
    parent.append(plot);
    if (!isMirrored) {
      this.#addAxes(parent);
    }
    image.addEventListener("pointermove", event => {
      const box = image.getBoundingClientRect();
      this.#pointer = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      this.#showValues();
    });
    image.addEventListener("pointerleave", () => {
      this.#pointer = null;
      this.#showValues();
    });
  }

  #addAxes(parent) {
    const values = make("div", "axis values");
    this.#axis = VALUE_TICKS.map(() => values.appendChild(make("span")));
    const times = make("div", "axis times");
    for (const part of TIME_TICKS) {
      const ago = duration(part * this.#windowMs).replace(/ 0 s$/, "");
      times.append(make("span", "", part === 0 ? "now" : part === 1 ? `${ago} ago` : ago));
    }
    this.#unit = make("div", "axis of-values");
    for (const axis of [this.#unit, values, times]) {
      axis.setAttribute("aria-hidden", "true");
      parent.append(axis);
    }
  }

  /**
   * Draws lines that end at a time.
   *
   * @param lines points of each line.
   * @param unit  of the values, such as "pkt/s".
   * @param parts lines with texts; the greatest of them under the pointer are listed with the values.
   */
  draw(lines, endMs, unit, parts = []) {
    const top = roundUp(Math.max(0, ...lines.flatMap(line => line.map(point => point.value))));
    this.#drawn = { lines, endMs, unit, parts, top };
    const base = this.#isMirrored ? HEIGHT / 2 : HEIGHT;
    lines.forEach((line, i) => {
      const drawn = this.#pieces(line, base, this.#isMirrored && i === 1 ? -base : base);
      this.#paths[i].setAttribute("d", drawn.map(path).join(""));
      this.#areas[i]?.setAttribute("d", drawn.map(points => area(points, base)).join(""));
    });
    this.#axis.forEach((span, i) => setText(span, this.#valueText(top * VALUE_TICKS[i])));
    if (this.#unit !== null) {
      setText(this.#unit, unit);
    }
    this.#showValues();
  }

  /**
   * Returns the points of a line in pieces without gaps.
   *
   * @param base   y of the value 0.
   * @param height of the greatest value above it; negative for a line that grows downwards.
   */
  #pieces(line, base, height) {
    const { endMs, top } = this.#drawn;
    const result = [];
    let lastMs = -Infinity;
    for (const { timeMs, value } of line) {
      if (timeMs - lastMs > GAP_STEPS * this.#stepMs) {
        result.push([]);
      }
      lastMs = timeMs;
      result.at(-1).push([WIDTH * (1 - (endMs - timeMs) / this.#windowMs), base - height * value / top]);
    }
    return result;
  }

  #valueText(value) {
    const [number, prefix] = si(value).split(" ");
    return `${Number(number)} ${prefix ?? ""}`.trim();
  }

  /** Shows the values under the pointer; without it a chart without labels shows its scale. */
  #showValues() {
    if (this.#drawn === null) {
      return;
    }
    const { lines, endMs, unit, parts, top } = this.#drawn;
    this.#marker.setAttribute("d", this.#pointer === null ? "" : `M${WIDTH * this.#pointer} 0V${HEIGHT}`);
    if (this.#pointer === null) {
      setText(this.#readout, this.#isMirrored ? `scale ${this.#valueText(top)} ${unit}` : "");
      return;
    }
    const agoMs = (1 - this.#pointer) * this.#windowMs;
    const at = line => valueAt(line, endMs - agoMs, GAP_STEPS * this.#stepMs / 2);
    const texts = lines.map((line, i) => `${this.#texts[i]} ${si(at(line))} ${unit}`);
    const greatest = parts.map(part => ({ text: part.text, value: at(part.line) ?? 0 }))
      .filter(part => part.value > 0).sort((one, other) => other.value - one.value).slice(0, MOST_PARTS);
    texts.push(...greatest.map(part => `${part.text} ${si(part.value)}`));
    const time = new Date(Date.now() - agoMs).toLocaleTimeString("en-GB");
    setText(this.#readout, `${time}: ${texts.join(", ")}`);
  }
}
