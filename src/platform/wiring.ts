// Platform. The only two ways a part enters the container; both are checked by the compiler.
import type { Provider } from '@nestjs/common';
import type { Token } from '../kernel/token';

type Class<A extends readonly unknown[], T> = new (...needs: A) => T;
/** What stands for a `T` in the container: its token, or its class. */
export type Need<T> = Token<T> | (abstract new (...args: never[]) => T);
type Needs<A extends readonly unknown[]> = { readonly [K in keyof A]: Need<A[K]> };

/** Fills a port with an adapter. An adapter that does not fit, or a swapped or missing need, does not compile. */
export function bind<T, A extends readonly unknown[]>(
  port: Token<T>,
  adapter: Class<A, NoInfer<T>>,
  needs: Needs<NoInfer<A>>,
): Provider {
  return factory(port, (...parts) => new adapter(...(parts as unknown as A)), needs);
}

/** Builds a class that carries no decorator: use cases, services. */
export function construct<T, A extends readonly unknown[]>(part: Class<A, T>, needs: Needs<NoInfer<A>>): Provider {
  return factory(part, (...parts) => new part(...(parts as unknown as A)), needs);
}

/** Makes a value from other parts: a policy from the configuration, say. */
export function provide<T, A extends readonly unknown[]>(
  as: Need<T>,
  make: (...needs: A) => NoInfer<T> | Promise<NoInfer<T>>,
  needs: Needs<NoInfer<A>>,
): Provider {
  return factory(as, (...parts) => make(...(parts as unknown as A)), needs);
}

function factory(as: unknown, make: (...parts: unknown[]) => unknown, needs: readonly unknown[]): Provider {
  return { provide: as as symbol, useFactory: make, inject: [...needs] as symbol[] };
}
