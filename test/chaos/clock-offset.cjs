// Loaded before the program (node -r): this process's wall clock is five minutes fast. Its monotonic clock is right.
'use strict';
const OFFSET_MS = 300_000;
const Real = Date;
class OffsetDate extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + OFFSET_MS);
    else super(...args);
  }
  static now() {
    return Real.now() + OFFSET_MS;
  }
}
globalThis.Date = OffsetDate;
