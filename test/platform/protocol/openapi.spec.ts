import request from 'supertest';
import { openApiDocument, openApiText, serveOpenApi } from '../../../src/platform/protocol/openapi';
import { type AuthApp, authApp } from '../auth/auth-app';

let house: AuthApp;
beforeAll(async () => {
  house = await authApp((app) => serveOpenApi(app, openApiDocument(app, '1.2.3')));
});
afterAll(() => house.close());

it('the document names every door with its refusals, and how to sign in', () => {
  const document = openApiDocument(house.app, '1.2.3');
  expect(document.info).toMatchObject({ title: 'Horarium', version: '1.2.3' });
  expect(document.components?.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
  expect(document.security).toEqual([{ bearer: [] }]);

  const create = document.paths['/api/api-keys']?.post;
  expect(create?.operationId).toBe('apiKeys_create');
  expect(create?.security).toBeUndefined();
  expect(Object.keys(create?.responses ?? {})).toEqual(['201', '400', '401', '403', '413', '415', '422', '503']);
  expect(create?.responses['403']).toMatchObject({
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: { 'auth.role-not-held': { value: { status: 403, title: 'Forbidden', field: 'roles' } } },
      },
    },
  });
  expect(document.paths['/api/doors/public']?.get?.security).toEqual([]);
});

it('is the same text every time', () => {
  expect(openApiText(openApiDocument(house.app, '1.2.3'))).toBe(openApiText(openApiDocument(house.app, '1.2.3')));
});

it('Swagger UI lies at /docs, the document at /openapi.json, both open to everyone', async () => {
  const http = request(house.app.getHttpServer());
  expect((await http.get('/docs')).text).toContain('swagger-ui');
  expect((await http.get('/docs/swagger-ui-bundle.js')).status).toBe(200);
  expect((await http.get('/docs/swagger-ui-init.js')).text).toContain('"persistAuthorization": true');
  expect((await http.get('/openapi.json')).body.openapi).toMatch(/^3\./);
});
