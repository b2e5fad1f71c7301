// Test support. What the connected pages of surveys are told, noted in words.
import type { SurveyRoom } from '../../../src/survey-collaboration/ports/survey-room';

export class NotedRoom implements SurveyRoom {
  said: string[] = [];

  updated(_survey: string, { fieldKey, version, value }: Parameters<SurveyRoom['updated']>[1]): void {
    this.said.push(`${fieldKey} is ${JSON.stringify(value)}, version ${version}`);
  }
  locked(_survey: string, { fieldKey, holder }: Parameters<SurveyRoom['locked']>[1]): void {
    this.said.push(`${holder.userId} is at ${fieldKey}`);
  }
  unlocked(_survey: string, fieldKey: string, reason: string): void {
    this.said.push(`${fieldKey} is free: ${reason}`);
  }
  presence(_survey: string, change: string, { userId, fieldKey }: Parameters<SurveyRoom['presence']>[2]): void {
    this.said.push(`${userId}: ${change}${fieldKey === null ? '' : ` ${fieldKey}`}`);
  }
  changed(_survey: string, rev: number): void {
    this.said.push(`changed at ${rev}`);
  }
  shutOut(_survey: string, tenantId: number, userIds: readonly string[] | null): void {
    this.said.push(`shut out: ${userIds === null ? `all of ${tenantId}` : userIds.join(', ')}`);
  }

  /** What was said since it was last asked. */
  heard(): string[] {
    return this.said.splice(0);
  }
}
