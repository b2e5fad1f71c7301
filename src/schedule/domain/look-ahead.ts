// Domain rule: until when a task that was claimed ahead of its instant may still be changed. By then its claim is confirmed,
// and from then on an edit meets a task that is being dispatched.

/** An edit takes a claim back as long as the planned instant is further away than this. */
export const CLAIM_CLOSES_BEFORE_MS = 500;

/** The claim is confirmed this long before the instant: off the critical path, and after it has closed. */
export const CONFIRM_BEFORE_MS = 450;
