/** The table of drops by reason and port. */

import { count, si } from "./format.js";
import { byId } from "./status.js";
import { cell, headerCell, setText, Table } from "./table.js";

const WHOLE = null;

/**
 * Builds the table with the id "drops"; the element "no-drops" is shown while it is empty. Returns a function that
 * shows drops: rows with a reason, their number of frames and, where they are known by port, rows with a port and its
 * number of frames as "ports".
 *
 * @param rates of events with these rows as "drops".
 */
export function dropsTable(rates) {
  const table = new Table(byId("drops"), (row, key) => {
    const [reason, port] = JSON.parse(key);
    headerCell(row, port ?? reason);
    const rate = cell(row, "number");
    const total = cell(row, "number");
    row.dataset.reason = reason;
    if (port !== WHOLE) {
      row.dataset.port = port;
      row.classList.add("part");
    }
    return line => {
      const dropRate = rates.ofRow("drops", "reason", reason, drop => framesOf(drop, port), true);
      setText(rate, si(dropRate));
      setText(total, count(line.frames));
      row.classList.toggle("active", dropRate > 0);
    };
  });
  return drops => {
    table.show([...drops].sort(byFrames).flatMap(lines), line => JSON.stringify([line.reason, line.port]));
    byId("drops").hidden = drops.length === 0;
    byId("no-drops").hidden = drops.length > 0;
  };
}

function byFrames(one, other) {
  return other.frames - one.frames;
}

/** The line of a reason and below it those of its ports. */
function lines(drop) {
  return [{ reason: drop.reason, port: WHOLE, frames: drop.frames },
    ...[...drop.ports ?? []].sort(byFrames).map(
      ({ port, frames }) => ({ reason: drop.reason, port, frames }))];
}

function framesOf(drop, port) {
  return port === WHOLE ? drop.frames : (drop.ports.find(part => part.port === port)?.frames ?? 0);
}
