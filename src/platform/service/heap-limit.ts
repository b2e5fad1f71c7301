// Platform, service. Node's heap limit for a server; `npm start` and the Dockerfile say the same.

/**
 * Left to itself Node takes several gigabytes on a large machine to be in order, and collects late: the first sync of 5,000
 * files then takes 290 to 370 MB, with this 202 (docs/performance.md). Ten thousand runs due at one second have room in it.
 */
export const HEAP_LIMIT = '--max-old-space-size=1024';
