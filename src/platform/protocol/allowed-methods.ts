// Platform, protocol. Which methods a path has, for 405: neither Express nor Nest answers it by themselves.
import type { Request } from 'express';

/** As much of Express' router as is looked at; when it changes shape, unknown methods are 404 again, no worse. */
interface RouterLayer {
  readonly route?: { readonly methods?: Readonly<Record<string, boolean>> };
  match?(path: string): unknown;
}

/** Nest's middlewares are routes for everything that Node has a name for; no resource has that many. */
const EVERY_METHOD = 20;

/** The methods that routes exist for at the request's path, other than its own; empty when the path is unknown. */
export function allowedMethods(request: Request): string[] {
  const app = request.app as unknown as { router?: { stack?: readonly RouterLayer[] } };
  const methods = new Set<string>();
  for (const layer of app.router?.stack ?? []) {
    const own = Object.entries(layer.route?.methods ?? {}).filter(([method, yes]) => yes && !method.startsWith('_'));
    if (own.length === 0 || own.length >= EVERY_METHOD || !matches(layer, request.path)) continue;
    for (const [method] of own) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return methods.has(request.method) ? [] : [...methods].sort();
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return Boolean(layer.match?.(path));
  } catch {
    return false; // a path that does not decode
  }
}
