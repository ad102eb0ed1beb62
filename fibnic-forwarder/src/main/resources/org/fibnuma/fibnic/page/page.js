/** Shows the state of the router that each event has. */

import { Chart } from "./chart.js";
import { dropsTable } from "./drops.js";
import { bytes, count, fixed, micros, si } from "./format.js";
import { logTable } from "./log.js";
import { growths, History, Rates, sumOf } from "./rates.js";
import { connectSearch } from "./search.js";
import { byId, follow, show } from "./status.js";
import { cell, headerCell, make, quantity, setText, stateCell, Table } from "./table.js";

/** The router remembers as much, at the same interval. */
const WINDOW_MS = 15 * 60_000;
const STEP_MS = 5_000;
const COUNTERS = ["rx-frames", "rx-bytes", "tx-frames", "tx-bytes"];
const PACKETS = { counter: "frames", factor: 1, unit: "pkt/s" };
const BITS = { counter: "bytes", factor: 8, unit: "bit/s" };
const LINES = [{ name: "rx", text: "received" }, { name: "tx", text: "transmitted" }];

const rates = new Rates();
const history = new History(WINDOW_MS, STEP_MS);
const frames = name => rates.of(state => state.frames[name]);

let last = null;
/** What the charts of traffic show. */
let measure = PACKETS;

const trafficChart = new Chart(byId("traffic-chart"), {
  lines: LINES, label: "Received and transmitted traffic of all ports, last 15 minutes", windowMs: WINDOW_MS,
  stepMs: STEP_MS,
});
const dropsChart = new Chart(byId("drops-chart"), {
  lines: [{ name: "drop", text: "dropped" }], label: "Dropped packets per second, last 15 minutes",
  windowMs: WINDOW_MS, stepMs: STEP_MS,
});

/** Returns the values of a history for rates of ports by name and counter, of drops, and of drops by reason. */
function valuesOf(ports, dropped, drops) {
  const values = { drops: dropped };
  for (const counter of COUNTERS) {
    values[counter] = sumOf(Object.values(ports).map(port => port[counter]));
    for (const [name, port] of Object.entries(ports)) {
      values[`${counter} of ${name}`] = port[counter];
    }
  }
  for (const [reason, value] of Object.entries(drops)) {
    values[`drops by ${reason}`] = value;
  }
  return values;
}

/** Returns an object with the same names and other values. */
const mapped = (object, map) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));

/** Adds the rates of the last event to the history. */
function remember(state) {
  const ports = Object.fromEntries(state.ports.map(({ name }) => [name, Object.fromEntries(COUNTERS.map(
    counter => [counter, rates.ofRow("ports", "name", name, port => port[counter])]))]));
  const drops = Object.fromEntries(state.drops.map(({ reason }) =>
    [reason, rates.ofRow("drops", "reason", reason, drop => drop.frames, true)]));
  history.add(state.timeMs, valuesOf(ports, frames("dropped"), drops));
}

/**
 * Asks the router what the page has not seen: the time before it was opened, or while it had no connection. If the
 * connection is lost meanwhile, the first event of the next one asks again.
 */
async function recall() {
  const answer = await fetch("history").then(response => response.ok ? response.json() : null).catch(() => null);
  if (answer === null) {
    return;
  }
  const { times, ports, drops } = answer;
  const portRates = mapped(ports, port => mapped(port, totals => growths(times, totals)));
  const dropRates = mapped(drops, totals => growths(times, totals));
  const dropped = growths(times, times.map((_, i) => sumOf(Object.values(drops).map(totals => totals[i])) ?? 0));
  times.forEach((timeMs, i) => history.fill(timeMs, valuesOf(
    mapped(portRates, port => mapped(port, values => values[i])), dropped[i], mapped(dropRates, values => values[i]))));
  showCharts();
}

/** Returns the lines of both directions, of all ports or of one. */
function trafficLines(ofPort = "") {
  return ["rx", "tx"].map(direction => history.line(`${direction}-${measure.counter}${ofPort}`)
    .map(({ timeMs, value }) => ({ timeMs, value: value * measure.factor })));
}

function showCharts() {
  trafficChart.draw(trafficLines(), last.timeMs, measure.unit);
  dropsChart.draw([history.line("drops")], last.timeMs, PACKETS.unit, last.drops.map(
    ({ reason }) => ({ text: reason, line: history.line(`drops by ${reason}`) })));
  ports.show(last.ports, port => port.name);
}

/** Adds a cell with packets and bits a second of a direction; returns a function that fills it. */
function addThroughput(row, rows, name, direction, label) {
  const element = cell(row, "number", label);
  const packets = quantity(element, "pkt/s");
  const bits = quantity(element, "bit/s", "sub");
  return () => {
    const frameRate = rates.ofRow(rows, "name", name, port => port[`${direction}-frames`]);
    const byteRate = rates.ofRow(rows, "name", name, port => port[`${direction}-bytes`]);
    packets(si(frameRate));
    bits(si(byteRate === null ? null : byteRate * BITS.factor));
  };
}

function forwarding(port) {
  if (port.forwardsIpv4 && port.forwardsIpv6) {
    return "";
  }
  return port.forwardsIpv4 ? "IPv4 only" : port.forwardsIpv6 ? "IPv6 only" : "left to the kernel";
}

const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

const lostOf = port => Object.values(port.lost).reduce((sum, value) => sum + value, 0);

const ports = new Table(byId("ports"), (row, name) => {
  const header = headerCell(row, name);
  const device = header.appendChild(make("span", "sub"));
  const addresses = header.appendChild(make("span", "sub"));
  const link = stateCell(row);
  const received = addThroughput(row, "ports", name, "rx", "Received");
  const transmitted = addThroughput(row, "ports", name, "tx", "Transmitted");
  const lostCell = cell(row, "number", "Lost");
  const lost = quantity(lostCell, "pkt/s");
  const lostTotal = lostCell.appendChild(make("span", "sub"));
  const chart = new Chart(cell(row, "time"), {
    lines: LINES, label: `Received and transmitted traffic of port ${name}, last 15 minutes`, windowMs: WINDOW_MS,
    stepMs: STEP_MS, isMirrored: true,
  });
  return port => {
    setText(device, `${port.device}${port.mode ? `, ${port.mode}` : ""}`);
    setText(addresses, port.addresses.join(", "));
    link(port.link, [port.speed, forwarding(port), counted(port.neighbors, "neighbour")].filter(text => text !== "").join(", "));
    received();
    transmitted();
    lost(si(rates.ofRow("ports", "name", name, lostOf)));
    setText(lostTotal, `${count(lostOf(port))} in all`);
    lostCell.title = Object.entries(port.lost).filter(([, value]) => value > 0)
      .map(([reason, value]) => `${reason} ${count(value)}`).join("\n");
    chart.draw(trafficLines(` of ${name}`), last.timeMs, measure.unit);
  };
});

const vlans = new Table(byId("vlans"), (row, name) => {
  const port = headerCell(row, name).appendChild(make("span", "sub"));
  const link = stateCell(row);
  const received = addThroughput(row, "vlans", name, "rx", "Received");
  const transmitted = addThroughput(row, "vlans", name, "tx", "Transmitted");
  return vlan => {
    setText(port, `on ${vlan.port}`);
    link(vlan.link, "");
    received();
    transmitted();
  };
});

const drops = dropsTable(rates);
const log = logTable();

const stages = new Table(byId("stages"), (row, name) => {
  const which = headerCell(row, name.replaceAll(/([a-z0-9])([A-Z])/g, "$1\u200b$2")).appendChild(make("span", "which"));
  const rate = cell(row, "number");
  const batch = cell(row, "number");
  const dropped = cell(row, "number");
  return stage => {
    const frameRate = rates.ofRow("stages", "stage", name, value => value.frames);
    setText(which, ` ${stage.which}`);
    setText(rate, si(frameRate));
    setText(batch, fixed(ofBusyCycles(frameRate)));
    setText(dropped, count(stage.dropped));
    row.classList.toggle("idle", stage.frames === 0 && stage.dropped === 0);
  };
});

/** The growth of totals since the last event in which they grew; of a new row, the totals themselves. */
function lastGrowth() {
  let last = { ns: 0, frames: 0, batches: 0 };
  let growth = last;
  return totals => {
    if (totals.batches !== last.batches) {
      const base = totals.batches < last.batches ? { ns: 0, frames: 0, batches: 0 } : last;
      growth = { ns: totals.ns - base.ns, frames: totals.frames - base.frames, batches: totals.batches - base.batches };
      last = totals;
    }
    return growth;
  };
}

const times = new Table(byId("times"), (row, name) => {
  headerCell(row, name.replaceAll(/([a-z0-9])([A-Z])/g, "$1\u200b$2"));
  const [time, batch] = ["number", "number"].map(className => cell(row, className));
  const growthOf = lastGrowth();
  return totals => {
    const growth = growthOf(totals);
    setText(time, si(growth.ns / growth.frames));
    setText(batch, fixed(growth.frames / growth.batches));
  };
});

const FAMILIES = { ipv4: "IPv4", ipv6: "IPv6" };
const ANSWERS = ["usable", "permanent"];

const tables = new Table(byId("tables"), (row, family) => {
  headerCell(row, FAMILIES[family]);
  const [routes, fib, size] = ["number", "number", "number"].map(name => cell(row, name));
  const neighbors = cell(row, "number");
  return table => {
    setText(routes, count(table.routes));
    setText(fib, count(table.fibRoutes));
    setText(size, bytes(table.fibBytes));
    const states = Object.entries(table.neighbors);
    const all = states.reduce((sum, [, value]) => sum + value, 0);
    const known = states.filter(([state]) => ANSWERS.includes(state)).reduce((sum, [, value]) => sum + value, 0);
    setText(neighbors, known === all ? count(all) : `${count(known)} of ${count(all)}`);
    neighbors.title = states.filter(([, value]) => value > 0).map(([state, value]) => `${value} ${state}`).join("\n");
  };
});

function busyCycles() {
  const polls = frames("polls");
  return polls === null ? null : polls - frames("idle-polls");
}

function ofBusyCycles(frameRate) {
  const cycles = busyCycles();
  return frameRate === null || cycles === null || cycles === 0 ? null : frameRate / cycles;
}

function showFigures(state) {
  show("forwarded", si(frames("forwarded")));
  show("forwarded-families", `IPv4 ${si(frames("ipv4-forwarded"))}, IPv6 ${si(frames("ipv6-forwarded"))}`);
  const received = rates.of(current => current.ports.reduce((sum, port) => sum + port["rx-bytes"], 0));
  show("received-bits", si(received === null ? null : received * BITS.factor));
  show("received-packets", `${si(frames("received"))} pkt/s`);
  show("dropped", si(frames("dropped")));
  byId("dropped").classList.toggle("active", frames("dropped") > 0);
  show("dropped-total", `${count(state.frames.dropped)} in all`);
  show("punted", si(frames("punted")));
  show("held", `${count(state.frames.held)} held for neighbours`);
  const polls = frames("polls");
  show("busy", polls > 0 ? (100 * busyCycles() / polls).toFixed(1) : "–");
  show("batch", `batch ${fixed(ofBusyCycles(frames("received")))} pkt`);
  show("fib-writes", si(rates.of(current => current.control.fibWrites)));
  show("fib-writes-total", `${count(state.control.fibWrites)} in all`);
}

/** Shows the CPU time and the memory of the process. */
function showProcess({ cpuMs, heapBytes, heapLimitBytes }) {
  const cpu = rates.of(state => state.process.cpuMs);
  show("cpu", cpu === null || cpuMs === null ? "–" : `${(cpu / 10).toFixed(0)} % of a core`);
  show("heap", `${bytes(heapBytes)} of ${bytes(heapLimitBytes)}`);
}

/** Shows the flows; they are undefined on a host without packet filters that are followed. */
function showFlows(flows) {
  byId("flows-panel").hidden = flows === undefined;
  if (flows !== undefined) {
    byId("flows-obstacle").hidden = flows.obstacle === "";
    show("flows-obstacle", flows.obstacle === "" ? "" : `The kernel forwards all connections: ${flows.obstacle}.`);
    show("flow-packets", si(frames("flows")));
    show("flows", `${count(flows.count)} of ${count(flows.capacity)}`);
    show("flows-learned", count(flows.learned));
    show("flows-refused", count(flows.refused));
  }
}

function onState(state) {
  if (rates.isRestart(state)) {
    history.clear();
  }
  const isContinued = rates.next(state);
  last = state;
  showFigures(state);
  remember(state);
  showCharts();
  if (!isContinued) {
    recall();
  }
  byId("vlans-panel").hidden = (state.vlans ?? []).length === 0;
  vlans.show(state.vlans ?? [], vlan => vlan.name);
  showFlows(state.flows);
  drops(state.drops);
  log(state.log);
  stages.show(state.stages, stage => stage.stage);
  byId("times-panel").hidden = state.times.length === 0;
  times.show(state.times, stage => stage.stage);
  tables.show(state.tables, table => table.family);
  show("adjacencies", `${count(state.control.adjacencies)} of ${count(state.control.adjacenciesLimit)}`);
  show("routes-touched", count(state.control.routesTouched));
  show("control-cycle", micros(state.control.longestCycleUs));
  show("worker-pause", micros(Math.max(0, ...(state.workers ?? []).map(worker => worker.longestPauseUs))));
  showProcess(state.process);
  showWarning(state.restrictionsBypassed);
}

function showWarning(bypassed) {
  byId("warning").hidden = bypassed === 0;
  show("warning", bypassed === 0 ? "" : `Forwarded packets bypass ${bypassed} ` +
    `${bypassed === 1 ? "restriction" : "restrictions"} of this host: see fibnuma show host.`);
}

byId("quantities").addEventListener("change", event => {
  measure = event.target.value === "bits" ? BITS : PACKETS;
  if (last !== null) {
    showCharts();
  }
});
connectSearch(byId("search"), byId("address"), byId("search-error"), byId("search-result"));
follow("router", onState);
