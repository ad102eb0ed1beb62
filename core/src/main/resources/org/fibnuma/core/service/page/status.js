/** The head of a page: name, version and uptime of the program, and the state of the connection. */

import { Connection } from "./connection.js";
import { duration } from "./format.js";
import { setText } from "./table.js";

const TEXTS = { connecting: "connecting", live: "live", lost: "connection lost", paused: "paused" };

/** Returns an element by its id. */
export const byId = id => document.getElementById(id);

/** Sets the text of the element with an id. */
export const show = (id, text) => setText(byId(id), text);

/**
 * Listens to the events of a program and shows its head.
 *
 * @param program what it is, "router" or "endpoint": the field with its name in an event, and the element for that.
 * @param onState takes the state in an event.
 */
export function follow(program, onState) {
  let last = null;
  let clockAtLast = 0;

  function showState(state) {
    last = state;
    clockAtLast = performance.now();
    show(program, state[program]);
    document.title = `${state[program]} – Fibnuma`;
    show("version", `Fibnuma ${state.version}`);
    if (document.body.dataset.connection === "live") {
      show("uptime", `up ${duration(last.timeMs + performance.now() - clockAtLast)}`);
    }
    onState(state);
  }

  function showStatus(status, since, retryMs) {
    document.body.dataset.connection = status;
    byId("status").dataset.state = status;
    const isLost = status === "lost";
    show("status-text", TEXTS[status]);
    const notice = byId("notice");
    if (isLost && notice.hidden) {
      // Said once: the time of the next attempt is not for a screen reader.
      setText(notice, `Connection to the ${program} lost at ${since.toLocaleTimeString("en-GB")}. ` +
        `${last === null ? "There are no values yet." : "The values below are old."} ` +
        "The page connects again by itself.");
    }
    notice.hidden = !isLost;
    byId("status").title = isLost ? `next attempt in ${Math.round(retryMs / 1000)} s` : "";
  }

  new Connection("events", showState, showStatus).open();
}
