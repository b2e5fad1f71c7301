// Kernel. A port's name at run time, so that the container can hold what TypeScript erases.

declare const fills: unique symbol;

/** Names the one implementation of `T` that the container holds. A port and its token share one name. */
export type Token<T> = symbol & { readonly [fills]: T };

/** Makes the token of a port; `name` shows in the container's error messages. */
export function token<T>(name: string): Token<T> {
  return Symbol(name) as Token<T>;
}
