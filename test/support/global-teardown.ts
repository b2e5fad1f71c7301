// Test support. The other end of global-setup.ts.
export default async function globalTeardown(): Promise<void> {
  await globalThis.horariumTestServer?.close();
}
