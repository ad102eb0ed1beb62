/** Tables and texts that are changed in place, so that a selection or the focus in them stays. */

/** Sets the text of an element if it differs. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Makes an element with a class and a text. */
export function make(name, className = "", text = "") {
  const element = document.createElement(name);
  if (className !== "") {
    element.className = className;
  }
  element.textContent = text;
  return element;
}

/** A table whose rows have keys. */
export class Table {
  #body;
  #build;
  #rows = new Map();

  /**
   * @param table element with a body.
   * @param build makes the cells of a row with a key; returns a function that fills them from a row of the event.
   */
  constructor(table, build) {
    this.#body = table.tBodies[0];
    this.#build = build;
    for (const [element, role] of [["table", "table"], ["thead", "rowgroup"], ["tbody", "rowgroup"],
      ["tr", "row"], ["th", "columnheader"]]) {
      // Browsers take the roles away from tables that styles lay out in another way, as on a phone.
      (element === "table" ? [table] : table.querySelectorAll(element)).forEach(one => one.setAttribute("role", role));
    }
  }

  /** Shows one row for each of some rows, in their order. */
  show(rows, keyOf) {
    const keys = new Set(rows.map(keyOf));
    for (const [key, row] of this.#rows) {
      if (!keys.has(key)) {
        row.element.remove();
        this.#rows.delete(key);
      }
    }
    rows.forEach((row, index) => {
      const key = keyOf(row);
      if (!this.#rows.has(key)) {
        this.#rows.set(key, this.#make(key));
      }
      const shown = this.#rows.get(key);
      if (this.#body.rows[index] !== shown.element) {
        this.#body.insertBefore(shown.element, this.#body.rows[index] ?? null);
      }
      shown.fill(row);
    });
  }

  #make(key) {
    const element = document.createElement("tr");
    const fill = this.#build(element, key);
    element.setAttribute("role", "row");
    for (const cell of element.cells) {
      cell.setAttribute("role", cell.tagName === "TH" ? "rowheader" : "cell");
    }
    return { element, fill };
  }
}

/** Adds a header of a row. */
export function headerCell(row, text) {
  const cell = row.appendChild(make("th", "", text));
  cell.scope = "row";
  return cell;
}

/** Adds a cell; with a label it names its column where styles hide the header. */
export function cell(row, className, label = "") {
  const element = row.appendChild(make("td", className));
  if (label !== "") {
    element.dataset.label = label;
  }
  return element;
}

/** Adds a cell with a state, such as that of a link; returns a function that sets the state and a remark. */
export function stateCell(row) {
  const element = cell(row, "link");
  const badge = element.appendChild(make("span", "badge"));
  badge.append(make("span", "dot"));
  const text = badge.appendChild(make("span"));
  const remark = element.appendChild(make("span", "sub"));
  return (state, remarkText) => {
    badge.dataset.state = state;
    setText(text, state);
    setText(remark, remarkText);
  };
}

/** Adds a line with a value and its unit to a cell; returns a function that sets the value. */
export function quantity(parent, unit, className = "") {
  const line = parent.appendChild(make("span", `quantity ${className}`));
  const value = line.appendChild(make("span", "value"));
  line.append(" ");
  const unitElement = line.appendChild(make("span", "unit", unit));
  return text => {
    const [number, prefix] = text.split(" ");
    setText(value, number);
    setText(unitElement, (prefix ?? "") + unit);
  };
}
