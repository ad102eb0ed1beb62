/** The events of a program: connects, and connects again when the connection is lost. */

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 5_000;
/** Several intervals of the program: it does not answer or cannot be reached, though the connection has not ended. */
const SILENCE_MS = 6_000;
/** A page that nobody sees needs no samples; a glance at another window does not end them. */
const HIDDEN_MS = 60_000;

export class Connection {
  #url;
  #onState;
  #onStatus;
  #source = null;
  #retryMs = FIRST_RETRY_MS;
  #retryTimer = 0;
  #silenceTimer = 0;
  #hiddenTimer = 0;
  #lostAt = null;

  /**
   * @param onState  takes the state in an event.
   * @param onStatus takes "connecting", "live", "lost" or "paused" and, if it is lost, since when and the time to the
   *                 next attempt in ms.
   */
  constructor(url, onState, onStatus) {
    this.#url = url;
    this.#onState = onState;
    this.#onStatus = onStatus;
    document.addEventListener("visibilitychange", () => this.#onVisibility());
    window.addEventListener("online", () => this.#source === null && this.#lostAt !== null && this.open());
    window.addEventListener("pagehide", () => this.#close());
    window.addEventListener("pageshow", event => event.persisted && this.open());
  }

  open() {
    this.#close();
    const source = new EventSource(this.#url);
    this.#source = source;
    this.#expect();
    source.addEventListener("message", event => {
      this.#retryMs = FIRST_RETRY_MS;
      this.#lostAt = null;
      this.#expect();
      this.#onStatus("live");
      this.#onState(JSON.parse(event.data));
    });
    source.addEventListener("error", () => this.#onLost());
  }

  #close() {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    this.#source?.close();
    this.#source = null;
  }

  #expect() {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(() => this.#onLost(), SILENCE_MS);
  }

  #onLost() {
    this.#close();
    this.#lostAt ??= new Date();
    this.#onStatus("lost", this.#lostAt, this.#retryMs);
    this.#retryTimer = setTimeout(() => this.open(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  #onVisibility() {
    clearTimeout(this.#hiddenTimer);
    if (document.hidden) {
      this.#hiddenTimer = setTimeout(() => {
        this.#close();
        this.#onStatus("paused");
      }, HIDDEN_MS);
    } else if (this.#source === null) {
      this.open();
    }
  }
}
