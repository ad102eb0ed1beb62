/** Rates of counters between events, and their time lines. */

const WINDOW_MS = 120_000;
const LONGEST_STEP_MS = 5_000;

/** Time lines of named values; a value at a time is null where the line has a gap. */
export class History {
  #lines = new Map();

  /** Adds values at a time in ms, and forgets those older than the window. */
  add(timeMs, values) {
    for (const [name, value] of Object.entries(values)) {
      if (!this.#lines.has(name)) {
        this.#lines.set(name, []);
      }
      const line = this.#lines.get(name);
      line.push({ timeMs, value });
      while (line[0].timeMs < timeMs - WINDOW_MS) {
        line.shift();
      }
    }
  }

  line(name) {
    return this.#lines.get(name) ?? [];
  }

  clear() {
    this.#lines.clear();
  }
}

/** The length of a time line in ms. */
export const windowMs = WINDOW_MS;

/** Computes rates from the two last events. */
export class Rates {
  #before = null;
  #now = null;

  /**
   * Takes the next event. Returns false for the first one, after a restart of the program, and after a gap: there is
   * no rate then.
   */
  next(state) {
    const step = this.#now === null ? 0 : state.timeMs - this.#now.timeMs;
    this.#before = step > 0 && step <= LONGEST_STEP_MS ? this.#now : null;
    this.#now = state;
    return this.#before !== null;
  }

  /** Returns whether the program was started again since the event before. */
  isRestart(state) {
    return this.#now !== null && state.timeMs < this.#now.timeMs;
  }

  /** Returns the growth of a value a second; null where it is not known. */
  of(read) {
    const now = read(this.#now);
    const before = this.#before === null ? undefined : read(this.#before);
    if (now === undefined || before === undefined) {
      return null;
    }
    return Math.max(0, now - before) * 1000 / (this.#now.timeMs - this.#before.timeMs);
  }

  /** Returns the rate of a value of the row with a key; a row that is new began with 0. */
  ofRow(rows, key, name, value, isNewZero = false) {
    return this.of(state => {
      const row = (state[rows] ?? []).find(candidate => candidate[key] === name);
      return row === undefined ? (isNewZero ? 0 : undefined) : value(row);
    });
  }
}
