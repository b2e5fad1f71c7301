// Test support. People who edit and workers who look again do so with time in between: for the soak, which is random anyway.

export function timePasses(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
