/** Numbers and times as text. Every number has at most four digits before its unit, so that columns stay aligned. */

const UNITS = ["", " k", " M", " G", " T", " P"];
const DASH = "–";

/** Returns a number of at least 0 with three significant digits and a unit of thousands; a dash for none. */
export function si(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return DASH;
  }
  let scaled = Math.max(0, value);
  let unit = 0;
  while (scaled >= 999.5 && unit < UNITS.length - 1) {
    scaled /= 1000;
    unit++;
  }
  const digits = unit === 0 ? (scaled > 0 && scaled < 9.95 ? 1 : 0) : scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0;
  return scaled.toFixed(digits).replace(/^(\d+)\.0$/, "$1") + UNITS[unit];
}

/** Returns a number with two decimals; a dash for none. */
export function fixed(value) {
  return value === null ? DASH : value.toFixed(2);
}

/** Returns a count with separators of thousands. */
export function count(value) {
  return value.toLocaleString("en");
}

/** Returns a number of bytes with a unit of 1024. */
export function bytes(value) {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Returns a time in its two greatest units. */
export function duration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [[Math.floor(seconds / 86400), "d"], [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
  const first = Math.max(0, parts.findIndex(([value]) => value > 0));
  return seconds === 0 ? "0 s" : parts.slice(first, first + 2).map(([value, unit]) => `${value} ${unit}`).join(" ");
}

/** Returns a number of microseconds as ms or us. */
export function micros(value) {
  return value >= 1000 ? `${(value / 1000).toFixed(1)} ms` : `${value} µs`;
}
