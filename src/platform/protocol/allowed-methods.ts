// Platform, protocol. Which methods a path has, for 405: neither Express nor Nest answers it by themselves.
import type { Request } from 'express';

/** As much of Express' router as is looked at; when it changes shape, unknown methods are 404 again, no worse. */
interface RouterLayer {
  readonly route?: { readonly methods?: Readonly<Record<string, boolean>> };
  match?(path: string): boolean;
}

/** The methods that routes exist for at the request's path, other than its own; empty when the path is unknown. */
export function allowedMethods(request: Request): string[] {
  const app = request.app as unknown as { router?: { stack?: readonly RouterLayer[] } };
  const methods = new Set<string>();
  for (const layer of app.router?.stack ?? []) {
    if (layer.route === undefined || !matches(layer, request.path)) continue;
    for (const [method, possible] of Object.entries(layer.route.methods ?? {})) {
      if (possible && !method.startsWith('_')) methods.add(method.toUpperCase());
    }
  }
  if (methods.has('GET')) methods.add('HEAD');
  return methods.has(request.method) ? [] : [...methods].sort();
}

function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match?.(path) === true;
  } catch {
    return false; // a path that does not decode
  }
}
