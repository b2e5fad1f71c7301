// Platform, protocol. The last look at a log line: whatever got into it, by a message, a stack or a field, no secret
// leaves with it. Fields that are secrets by name are dealt with in logging.ts.

const RULES: readonly (readonly [RegExp, string])[] = [
  // scheme://user:password@host
  [/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*):[^\s@"\\]*@/gi, '$1:***@'],
  // API keys of ours, also in part
  [/\bhk_[A-Za-z0-9_-]{8,}/g, 'hk_***'],
  // JSON Web Tokens
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, 'eyJ***'],
  [/\b(bearer|basic)\s+(?!\*)[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
  [/([?&](?:access_token|token|key|api_key|secret|password|code|state)=)[^&\s"\\]+/gi, '$1***'],
];

export function withoutSecrets(line: string): string {
  return RULES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}
