/** Shows the state of the endpoint that each event has. */

import { Chart } from "./chart.js";
import { dropsTable } from "./drops.js";
import { bytes, count, micros, si } from "./format.js";
import { logTable } from "./log.js";
import { History, Rates } from "./rates.js";
import { byId, follow, show } from "./status.js";
import { cell, headerCell, make, quantity, setText, stateCell, Table } from "./table.js";

const rates = new Rates();
const WINDOW_MS = 120_000;
const STEP_MS = 1_000;
const history = new History(WINDOW_MS, STEP_MS);
const LINES = [{ name: "rx", text: "received" }, { name: "tx", text: "sent" }];
const frames = name => rates.of(state => state.frames[name]);
const sumOfPeers = (state, name) => state.peers.reduce((sum, peer) => sum + peer[name], 0);
const dropsOf = state => state.drops.reduce((sum, drop) => sum + drop.frames, 0);
/** Datagrams of peers with formats without answers or keys that had no effect. */
const REFUSALS = ["malformed", "crosses-4-kib", "trailing-bytes", "no-end-code", "refused", "seal-refused"];

let last = null;

const trafficChart = new Chart(byId("traffic-chart"), {
  lines: LINES, label: "Received and sent packets per second, last 2 minutes", windowMs: WINDOW_MS, stepMs: STEP_MS,
});

/** Adds a cell with the rate and the total of a counter; returns a function that fills them and returns the rate. */
function addRate(row, id, name, label) {
  const element = cell(row, "number", label);
  const rate = quantity(element, "pkt/s");
  const total = element.appendChild(make("span", "sub"));
  return peer => {
    const value = rates.ofRow("peers", "id", id, one => one[name]);
    rate(si(value));
    setText(total, `${count(peer[name])} in all`);
    return value;
  };
}

/** Returns the state of a peer, or of several in one row. */
function stateOf(peer) {
  return peer.up + peer.down === 1 ? (peer.up === 1 ? "up" : "down") : `${peer.up} up, ${peer.down} down`;
}

const peers = new Table(byId("peers"), (row, id) => {
  const address = headerCell(row, id === "other" ? "others" : `peer ${id}`).appendChild(make("span", "sub"));
  row.dataset.peer = id;
  const state = stateCell(row);
  const received = addRate(row, id, "received", "Received");
  const sent = addRate(row, id, "sent", "Sent");
  const repaired = addRate(row, id, "repaired", "Sent again");
  const roundTripCell = cell(row, "number", "Round trip");
  const roundTrip = roundTripCell.appendChild(make("span", "value"));
  const pending = roundTripCell.appendChild(make("span", "sub"));
  const chart = new Chart(cell(row, "time"), {
    lines: LINES, label: `Received and sent datagrams per second of peer ${id}, last 2 minutes`, windowMs: WINDOW_MS,
    stepMs: STEP_MS, isMirrored: true,
  });
  return peer => {
    setText(address, `${peer.address} ${peer.format}`.trim());
    address.title = peer.mac === "" ? "" : `next hop ${peer.mac}`;
    state(stateOf(peer), peer.down > 0 && peer.mac === "" ? "no MAC address" : "");
    history.add(last.timeMs, { [`rx ${id}`]: received(peer), [`tx ${id}`]: sent(peer) });
    repaired(peer);
    setText(roundTrip, peer.roundTripUs === 0 ? "–" : micros(Math.round(peer.roundTripUs)));
    setText(pending, `${count(peer.pendingWrites)} pending`);
    chart.draw([history.line(`rx ${id}`), history.line(`tx ${id}`)], last.timeMs, "pkt/s");
  };
});

const drops = dropsTable(rates);
const log = logTable();

const regions = new Table(byId("regions"), (row, name) => {
  const header = headerCell(row, name);
  const access = cell(row, "");
  const size = cell(row, "number");
  return region => {
    header.title = region.count === 1 ? "" : `${count(region.count)} regions`;
    setText(access, region.access);
    setText(size, bytes(region.bytes));
  };
});

function showFigures(state) {
  for (const direction of ["received", "sent"]) {
    const bitRate = frames(`${direction}-bytes`);
    show(`${direction}-bits`, si(bitRate === null ? null : bitRate * 8));
    show(direction, `${si(frames(direction))} pkt/s`);
  }
  show("peers-up", count(sumOfPeers(state, "up")));
  show("peers-all", `of ${count(sumOfPeers(state, "up") + sumOfPeers(state, "down"))}`);
  byId("peers-up").classList.toggle("active", sumOfPeers(state, "down") > 0);
  show("pending", `${count(sumOfPeers(state, "pendingWrites"))} writes pending`);
  show("repaired", si(rates.of(one => sumOfPeers(one, "repaired"))));
  show("repaired-total", `${count(sumOfPeers(state, "repaired"))} in all`);
  show("dropped", si(rates.of(dropsOf)));
  byId("dropped").classList.toggle("active", rates.of(dropsOf) > 0);
  show("dropped-total", `${count(dropsOf(state))} in all`);
  show("lost", si(frames("sent-lost")));
  byId("lost").classList.toggle("active", frames("sent-lost") > 0);
  show("lost-total", `${count(state.frames["sent-lost"])} in all`);
  history.add(state.timeMs, { received: frames("received"), sent: frames("sent") });
  trafficChart.draw([history.line("received"), history.line("sent")], state.timeMs, "pkt/s");
}

function onState(state) {
  if (rates.isRestart(state)) {
    history.clear();
  }
  rates.next(state);
  last = state;
  showFigures(state);
  peers.show(state.peers, peer => peer.id);
  drops(state.drops);
  log(state.log);
  regions.show(state.regions, region => region.name);
  byId("regions").hidden = state.regions.length === 0;
  byId("no-regions").hidden = state.regions.length > 0;
  show("refused", count(sumOfPeers(state, "refused")));
  show("refused-datagrams", count(REFUSALS.reduce((sum, name) => sum + state.frames[name], 0)));
  show("clients", count(state.frames["clients-given-up"]));
  show("safepoint", micros(state.longestSafepointUs));
}

follow("endpoint", onState);
