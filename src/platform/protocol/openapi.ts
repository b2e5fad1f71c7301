// Platform, protocol. The OpenAPI document, made from the running application's controllers, and Swagger UI.
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

const DESCRIPTION = `Tasks that start agents at the right moment, and what came of them.

**Signing in.** Press *Authorize* and paste a token or an API key (\`hk_…\`). The operator's token is the one line in
\`.horarium/operator-token\`; \`npx horarium token create --tenant 1 --user alice --role user\` makes others.

**Refusals** are problem documents (\`application/problem+json\`, RFC 9457): \`detail\` is for people, \`code\` for programs.
Fields that are not known are refused by name. What belongs to somebody else does not exist (404).

**Moments** are UTC (\`2026-08-01T09:00:00+00:00\`); schedules are evaluated in each task's own time zone.`;

/** Marks an operation that asks for no sign-in; OpenAPI's own way, an empty list, Nest drops as empty. */
export const PUBLIC_OPERATION = 'x-public';

export function openApiDocument(app: NestExpressApplication, version: string): OpenAPIObject {
  const head = new DocumentBuilder()
    .setTitle('Horarium')
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense('MIT', '')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token (JWT) or an API key (hk_…)' })
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, head, {
    operationIdFactory: (controller, method) => `${lowerFirst(controller.replace(/Controller$/, ''))}_${method}`,
  });
  for (const path of Object.values(document.paths)) openPublicOperations(path);
  return document;
}

function openPublicOperations(path: object): void {
  for (const operation of Object.values(path) as unknown[]) {
    if (typeof operation !== 'object' || operation === null || !(PUBLIC_OPERATION in operation)) continue;
    delete operation[PUBLIC_OPERATION];
    Object.assign(operation, { security: [] });
  }
}

/** Swagger UI at /docs, the document at /openapi.json. Call before init or listen, which shut the list of routes. */
export function serveOpenApi(app: NestExpressApplication, document: OpenAPIObject): void {
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Horarium',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
}

/** As docs/openapi.json holds it: `npm run docs:generate` writes it, a test compares. */
export function openApiText(document: OpenAPIObject): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
