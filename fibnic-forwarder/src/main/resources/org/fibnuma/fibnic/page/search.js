/** The search for a route. */

import { make } from "./table.js";

/** Names of the answer of lookup. */
const LABELS = {
  address: "Address", prefix: "Prefix", kind: "Action", nextHop: "Next hop", port: "Port", mtu: "MTU",
  destinationMac: "Destination MAC", sourceMac: "Source MAC", adjacency: "Adjacency", hash: "Hash", buckets: "Buckets",
  via: "Via", weight: "Weight",
};
const FIRST = ["prefix", "kind", "nextHop", "port"];

function pairs(answer) {
  const names = [...FIRST.filter(name => name in answer), ...Object.keys(answer).filter(name => !FIRST.includes(name))];
  const list = make("dl", "pairs");
  for (const name of names.filter(key => !Array.isArray(answer[key]))) {
    const pair = list.appendChild(make("div"));
    pair.append(make("dt", "", LABELS[name] ?? name), make("dd", "", text(name, answer[name])));
  }
  return list;
}

function text(name, value) {
  return value === null ? (name === "prefix" ? "no route" : "–") : String(value);
}

function members(rows) {
  const names = ["via", "port", "kind", "weight", "buckets"];
  const table = make("table");
  table.createCaption().textContent = "Next hops that share the flows";
  const head = table.createTHead().insertRow();
  for (const name of names) {
    const cell = head.appendChild(make("th", typeof rows[0][name] === "number" ? "number" : "", LABELS[name]));
    cell.scope = "col";
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const name of names) {
      line.append(make("td", typeof row[name] === "number" ? "number" : "", text(name, row[name])));
    }
  }
  return table;
}

/** Connects the form with the router. */
export function connectSearch(form, input, error, result) {
  let number = 0;

  function show(problem, answer) {
    error.textContent = problem;
    input.setAttribute("aria-invalid", String(problem !== ""));
    result.replaceChildren(...(answer === null ? [] : [pairs(answer)]),
      ...(answer?.members ?? []).length > 0 ? [members(answer.members)] : []);
  }

  async function search() {
    const own = ++number;
    try {
      const response = await fetch(`lookup?address=${encodeURIComponent(input.value)}`);
      const body = await response.text();
      if (own === number) {
        if (response.ok) {
          show("", JSON.parse(body));
        } else {
          show(body.trim(), null);
        }
      }
    } catch {
      if (own === number) {
        show("The router does not answer; search again when it is connected.", null);
      }
    }
  }

  form.addEventListener("submit", event => {
    event.preventDefault();
    search();
  });
}
