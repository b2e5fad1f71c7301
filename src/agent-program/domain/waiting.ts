// Domain. How long to wait before the next try. Full jitter: machines that lost the server together do not return together.

const SHORTEST_SECONDS = 1;
const LONGEST_SECONDS = 60;

/** @param spreadSeconds what the server said in its last answer; 0 when there was none */
export function backOffSeconds(failures: number, spreadSeconds: number, chance: number): number {
  const grown = Math.min(LONGEST_SECONDS, SHORTEST_SECONDS * 2 ** Math.min(failures, 10));
  return Math.max(grown, spreadSeconds) * chance;
}
