/** The table of drops by reason and port. */

import { count, si } from "./format.js";
import { byId } from "./status.js";
import { cell, headerCell, make, setText, Table } from "./table.js";

const WHOLE = null;

/**
 * Builds the table with the id "drops"; the element "no-drops" is shown while it is empty. Returns a function that
 * shows drops: rows with a reason, their number of frames and, where they are known, its meaning, its remedy, and rows
 * with a port and its number of frames as "ports".
 *
 * @param rates of events with these rows as "drops".
 */
export function dropsTable(rates) {
  const table = new Table(byId("drops"), (row, key) => {
    const [reason, port] = JSON.parse(key);
    const explain = explanation(headerCell(row, port ?? reason));
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
      explain(line);
      row.classList.toggle("active", dropRate > 0);
    };
  });
  return drops => {
    table.show([...drops].sort(byFrames).flatMap(lines), line => JSON.stringify([line.reason, line.port]));
    byId("drops").hidden = drops.length === 0;
    byId("no-drops").hidden = drops.length > 0;
  };
}

/** Adds what a reason means and what to do; returns a function that sets both. */
function explanation(parent) {
  const meaning = parent.appendChild(make("span", "sub"));
  const details = parent.appendChild(make("details", "sub"));
  details.append(make("summary", "", "What to do"));
  const remedy = details.appendChild(make("p"));
  return line => {
    setText(meaning, line.meaning ?? "");
    setText(remedy, line.remedy ?? "");
    details.hidden = line.remedy === undefined;
  };
}

function byFrames(one, other) {
  return other.frames - one.frames;
}

/** The line of a reason and below it those of its ports. */
function lines(drop) {
  return [{ ...drop, port: WHOLE },
    ...[...drop.ports ?? []].sort(byFrames).map(
      ({ port, frames }) => ({ reason: drop.reason, port, frames }))];
}

function framesOf(drop, port) {
  return port === WHOLE ? drop.frames : (drop.ports.find(part => part.port === port)?.frames ?? 0);
}
