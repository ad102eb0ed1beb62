/** Time lines as SVG. */

import { windowMs } from "./rates.js";
import { si } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 100;
const GAP_MS = 5_000;

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

/**
 * Returns the points of a line in pieces without gaps.
 *
 * @param base   y of the value 0.
 * @param height of the greatest value above it; negative for a line that grows downwards.
 */
function pieces(line, endMs, top, base, height) {
  const result = [];
  let piece = null;
  let lastMs = 0;
  for (const { timeMs, value } of line) {
    if (value === null) {
      piece = null;
      continue;
    }
    if (piece === null || timeMs - lastMs > GAP_MS) {
      piece = [];
      result.push(piece);
    }
    lastMs = timeMs;
    piece.push([WIDTH * (1 - (endMs - timeMs) / windowMs), base - height * Math.min(value, top) / top]);
  }
  return result;
}

function path(points) {
  return points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

function area(points, base) {
  return points.length < 2 ? "" :
    `${path(points)}L${points.at(-1)[0].toFixed(1)} ${base}L${points[0][0].toFixed(1)} ${base}Z`;
}

/** A chart of two lines on one scale from 0, the first with a filled area. */
export class Chart {
  #isMirrored;
  #areas;
  #paths;
  #axis = [];

  /**
   * Adds a chart to an element.
   *
   * @param names class of each line.
   * @param label for those who do not see it.
   * @param isMirrored whether the second line grows downwards, so that equal lines do not hide each other; if not,
   *                   the chart has labels of values and times.
   */
  constructor(parent, names, label, isMirrored) {
    this.#isMirrored = isMirrored;
    const image = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label,
    });
    for (const y of isMirrored ? [HEIGHT / 2] : [0, 25, 50, 75, 100]) {
      image.append(svg("path", { class: "grid", d: `M0 ${y}H${WIDTH}` }));
    }
    for (const x of isMirrored ? [] : [0, 150, 300, 450]) {
      image.append(svg("path", { class: "grid", d: `M${x} 0V${HEIGHT}` }));
    }
    this.#areas = names.slice(0, isMirrored ? 2 : 1).map(name => svg("path", { class: `area ${name}` }));
    this.#paths = names.map(name => svg("path", { class: `line ${name}` }));
    image.append(...this.#areas, ...this.#paths.toReversed());
    parent.append(image);
    if (!isMirrored) {
      this.#addAxes(parent);
    }
  }

  #addAxes(parent) {
    const values = document.createElement("div");
    values.className = "axis values";
    this.#axis = [1, 0.75, 0.5, 0.25, 0].map(() => values.appendChild(document.createElement("span")));
    const times = document.createElement("div");
    times.className = "axis times";
    for (const text of ["2 min ago", "90 s", "1 min", "30 s", "now"]) {
      times.appendChild(document.createElement("span")).textContent = text;
    }
    for (const axis of [values, times]) {
      axis.setAttribute("aria-hidden", "true");
      parent.append(axis);
    }
  }

  /** Draws two lines that end at a time. */
  draw(lines, endMs) {
    const top = roundUp(Math.max(0, ...lines.flatMap(line => line.map(point => point.value ?? 0))));
    const base = this.#isMirrored ? HEIGHT / 2 : HEIGHT;
    lines.forEach((line, i) => {
      const drawn = pieces(line, endMs, top, base, this.#isMirrored && i === 1 ? -base : base);
      this.#paths[i].setAttribute("d", drawn.map(path).join(""));
      this.#areas[i]?.setAttribute("d", drawn.map(points => area(points, base)).join(""));
    });
    this.#axis.forEach((span, i) => {
      const [number, unit] = si(top * (1 - i / 4)).split(" ");
      span.textContent = `${Number(number)} ${unit ?? ""}`.trim();
    });
  }
}
