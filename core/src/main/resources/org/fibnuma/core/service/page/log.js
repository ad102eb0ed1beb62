/** The table of the last log lines. */

import { byId } from "./status.js";
import { cell, make, setText, Table } from "./table.js";

/** Returns a time of the program's clock as date and time of the browser's zone. */
const timeOf = timeMs => new Date(timeMs).toLocaleString("sv-SE");

/**
 * Builds the table with the id "log"; the element "no-log" is shown while it is empty. Returns a function that shows
 * lines: rows with a number, a time, a level and a text, the newest first.
 */
export function logTable() {
  const table = new Table(byId("log"), row => {
    const text = cell(row, "");
    const time = text.appendChild(make("span", "sub"));
    const message = text.appendChild(make("span"));
    return line => {
      row.dataset.level = line.level;
      setText(time, `${timeOf(line.timeMs)} ${line.level}`);
      setText(message, line.text);
    };
  });
  return lines => {
    table.show(lines, line => line.number);
    byId("log").hidden = lines.length === 0;
    byId("no-log").hidden = lines.length > 0;
  };
}
