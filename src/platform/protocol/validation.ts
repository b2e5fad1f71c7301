// Platform, protocol. The pipe that every request passes: unknown fields are refused by name, and every fault is said
// with its field's path on the wire. What a field may be stands in the *.request.ts of its feature.
import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import type { FieldProblem } from './problem';
import { RequestInvalidError } from './request-errors';
import { textFaults } from './text-rules';

/** Class-validator's names. That a value is of the wrong type says more than that it is also too short. */
const RULES_OF_TYPE = new Set(['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject']);

@Injectable()
export class RequestValidation extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      transform: true,
      // Numbers in a query are converted where the request class says so: implicit conversion turns "false" to true.
      transformOptions: { enableImplicitConversion: false },
      exceptionFactory: (errors) => new RequestInvalidError(errors.flatMap((error) => fieldProblems(error, ''))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && value !== undefined && isRequestClass(metadata.metatype) && !isObject(value)) {
      throw new RequestInvalidError([{ field: 'body', message: 'The body must be a JSON object' }]);
    }
    if (metadata.type !== 'custom') {
      const faults = textFaults(value, metadata.data ?? '');
      if (faults.length > 0) throw new RequestInvalidError(faults);
    }
    const borrowed = borrowedNames(value, metadata.metatype);
    if (borrowed.length > 0) throw new RequestInvalidError(borrowed);
    return (await super.transform(value, metadata)) as unknown;
  }
}

/** Class-transformer passes over fields that are called like a method (toString), and nobody would refuse them. */
function borrowedNames(value: unknown, metatype: Type | undefined): FieldProblem[] {
  if (!isObject(value) || !isRequestClass(metatype)) return [];
  const prototype = metatype?.prototype as object;
  return Object.keys(value as object)
    .filter((name) => name in prototype)
    .map((field) => ({ field, message: `${field} is not a known field` }));
}

function isRequestClass(type: Type | undefined): boolean {
  return type !== undefined && ![String, Number, Boolean, Array, Object].includes(type as never);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One problem for each field: its children's when it has any, else its own most telling one. */
function fieldProblems(error: ValidationError, parent: string): FieldProblem[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const inner = (error.children ?? []).flatMap((child) => fieldProblems(child, field));
  return inner.length > 0 ? inner : [{ field, message: message(error, field) }];
}

function message({ constraints = {}, property, value }: ValidationError, field: string): string {
  if (constraints['whitelistValidation'] !== undefined) return `${field} is not a known field`;
  if (value === undefined) return `${field} is required`;
  if (constraints['nestedValidation'] !== undefined) return `${field} must be an object`;
  const keys = Object.keys(constraints);
  const text = constraints[keys.find((key) => RULES_OF_TYPE.has(key)) ?? keys[0] ?? ''] ?? 'is not valid';
  return text.startsWith(`${property} `) ? field + text.slice(property.length) : `${field}: ${text}`;
}
