/** Rates of counters between events, and their time lines. */

const LONGEST_STEP_MS = 5_000;
/** Three intervals of the samples of a history. */
const LONGEST_GAP_MS = 15_000;

/** Time lines of named values within a window: the mean of each step, and nothing for a step without a value. */
export class History {
  #windowMs;
  #stepMs;
  #lines = new Map();

  constructor(windowMs, stepMs) {
    this.#windowMs = windowMs;
    this.#stepMs = stepMs;
  }

  /** Adds values at a time in ms, null for none, and forgets those older than the window. */
  add(timeMs, values) {
    for (const [name, value] of Object.entries(values)) {
      const steps = this.#stepsOf(name);
      const step = this.#step(timeMs);
      if (value !== null) {
        const { sum, count } = steps.get(step) ?? { sum: 0, count: 0 };
        steps.set(step, { timeMs, sum: sum + value, count: count + 1 });
      }
      for (const [old, last] of steps) {
        if (last.timeMs < timeMs - this.#windowMs) {
          steps.delete(old);
        }
      }
    }
  }

  /** Adds values at an earlier time in ms to the steps that have none. */
  fill(timeMs, values) {
    for (const [name, value] of Object.entries(values)) {
      const steps = this.#stepsOf(name);
      if (value !== null && !steps.has(this.#step(timeMs))) {
        steps.set(this.#step(timeMs), { timeMs, sum: value, count: 1 });
      }
    }
  }

  /** Returns the points of a line in the order of their times. */
  line(name) {
    return [...this.#lines.get(name)?.values() ?? []]
      .map(({ timeMs, sum, count }) => ({ timeMs, value: sum / count }))
      .sort((one, other) => one.timeMs - other.timeMs);
  }

  clear() {
    this.#lines.clear();
  }

  #step(timeMs) {
    return Math.floor(timeMs / this.#stepMs);
  }

  #stepsOf(name) {
    if (!this.#lines.has(name)) {
      this.#lines.set(name, new Map());
    }
    return this.#lines.get(name);
  }
}

/**
 * Returns the growth a second of totals at some times in ms. It is null for the first one, where a total is null or
 * below the one before, and after a gap.
 */
export function growths(times, totals) {
  return totals.map((total, i) => {
    const before = totals[i - 1] ?? null;
    const stepMs = times[i] - times[i - 1];
    return total === null || before === null || total < before || !(stepMs > 0 && stepMs <= LONGEST_GAP_MS) ? null :
      (total - before) * 1000 / stepMs;
  });
}

/** Returns the sum of values without null; null if all are. */
export function sumOf(values) {
  return values.reduce((sum, value) => value === null ? sum : (sum ?? 0) + value, null);
}

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
