/** The table of drops by reason. */

import { count, si } from "./format.js";
import { byId } from "./status.js";
import { cell, headerCell, setText, Table } from "./table.js";

/**
 * Builds the table with the id "drops"; the element "no-drops" is shown while it is empty. Returns a function that
 * shows drops: rows with a reason and their number of frames.
 *
 * @param rates of events with these rows as "drops".
 */
export function dropsTable(rates) {
  const table = new Table(byId("drops"), (row, reason) => {
    headerCell(row, reason);
    const rate = cell(row, "number");
    const total = cell(row, "number");
    row.dataset.reason = reason;
    return drop => {
      const dropRate = rates.ofRow("drops", "reason", reason, value => value.frames, true);
      setText(rate, si(dropRate));
      setText(total, count(drop.frames));
      row.classList.toggle("active", dropRate > 0);
    };
  });
  return drops => {
    table.show([...drops].sort((one, other) => other.frames - one.frames), drop => drop.reason);
    byId("drops").hidden = drops.length === 0;
    byId("no-drops").hidden = drops.length > 0;
  };
}
