// Platform, protocol. A whole number in a query, which arrives as text. Nothing else becomes one: `Number` makes 0 of an
// empty text, 16 of 0x10 and 100 of 1e2.
import { Transform } from 'class-transformer';

/** Above @IsInt(), which refuses what is left a text. */
export function QueryNumber(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
  );
}
