// Platform, command line. What commands that ask the server have alike.
import { Inject, Injectable } from '@nestjs/common';
import { CommandRunner, Option } from 'nest-commander';
import { Clock } from '../../kernel/clock';
import { CliOutput, type JsonOption } from '../protocol/cli-output';
import { ApiClient, type Listing } from './api-client';
import { UsageError } from './api-errors';

/** Where the person sits: the zone of moments that name none (HORARIUM_DEFAULT_TIMEZONE). */
export class HomeZone {
  constructor(readonly name: string) {}
}

@Injectable()
export abstract class ApiCommand extends CommandRunner {
  constructor(
    protected readonly api: ApiClient,
    protected readonly output: CliOutput,
    @Inject(Clock) protected readonly clock: Clock,
    protected readonly home: HomeZone,
  ) {
    super();
  }

  @Option({ flags: '--json', description: "print the server's JSON" })
  json(): boolean {
    return true;
  }
}

export interface ListOptions extends JsonOption {
  limit?: string;
  all?: boolean;
}

const USUAL = 50;

@Injectable()
export abstract class ListCommand extends ApiCommand {
  @Option({ flags: '--limit <n>', description: `how many, newest first (${USUAL})` })
  limit(value: string): string {
    return value;
  }

  @Option({ flags: '--all', description: 'all there are' })
  all(): boolean {
    return true;
  }
}

/** @throws UsageError */
export function howMany({ limit, all }: ListOptions): number {
  if (all === true) return Number.POSITIVE_INFINITY;
  if (limit === undefined) return USUAL;
  if (!/^\d{1,9}$/.test(limit) || Number(limit) === 0) throw new UsageError('--limit takes a whole number from 1.');
  return Number(limit);
}

/** A list with the note that it is not the whole. */
export function asFarAsAsked<T>(listing: Listing<T>, lines: string): string {
  return listing.more ? `${lines}\n\nthe newest ${listing.items.length}; --all shows all` : lines;
}
