import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listEndpoints, nameEndpoint } from '#tests/support/list-endpoints.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();

interface Operation {
  summary: string;
  requestBody?: { content: Record<string, { schema: { properties: object; required: string[] } }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: { properties: object } }> }>;
}

it('describes every call of the contract, and no other, with its body, answer and errors', async () => {
  const response = await testApp.server.inject('/api/docs/json');
  expect(response.statusCode).toBe(200);
  const { openapi, paths } = response.json<{ openapi: string; paths: Record<string, Record<string, Operation>> }>();
  expect(openapi).toMatch(/^3\.1/);
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(described.sort()).toEqual((await listEndpoints()).map(nameEndpoint).sort());
  const login = paths['/api/login']?.post;
  const body = login?.requestBody?.content['application/json']?.schema;
  expect(body?.required).toEqual(['email', 'password']);
  expect(Object.keys(login?.responses['200']?.content?.['application/json']?.schema.properties ?? {})).toContain(
    'isEmailVerified',
  );
  expect(login?.responses['401']?.description).toContain('invalid_credentials');
  expect(login?.responses['429']?.description).toContain('too_many_requests');
  expect(paths['/api/auth/user']?.get?.responses['401']?.description).toContain('unauthorized');
  const upload = paths['/api/upload']?.post?.requestBody?.content['multipart/form-data']?.schema;
  expect(upload?.properties).toEqual({ image: { type: 'string', format: 'binary' } });
});

it('lists the text fields of a form beside its file', async () => {
  const { paths } = (await testApp.server.inject('/api/docs/json')).json<{
    paths: Record<string, Record<string, Operation>>;
  }>();
  const formOf = (path: string) => paths[path]?.post?.requestBody?.content['multipart/form-data']?.schema;
  const change = formOf('/api/change-model');
  expect(change?.properties).toEqual({
    userImage: { type: 'string', format: 'binary' },
    modelImageUrl: { type: 'string', minLength: 1, maxLength: 500 },
    backgroundImageUrl: { type: 'string', maxLength: 500, default: '' },
    imageId: { type: 'string', maxLength: 64 },
    agreedChange: { type: 'string', enum: ['model_change', 'background_change'] },
  });
  // A photo that is already on the server replaces the file, and not every engine needs a model.
  expect(change?.required ?? []).toEqual([]);
  expect(Object.keys(formOf('/api/photosession')?.properties ?? {})).toEqual(['image', 'imageId']);
  expect(formOf('/api/upload')?.required).toEqual(['image']);
});

it('has forms with a photo and exports, and nginx waits longer for these alone', async () => {
  const { paths } = (await testApp.server.inject('/api/docs/json')).json<{
    paths: Record<string, Record<string, Operation>>;
  }>();
  const hasForm = ({ requestBody }: Operation) => 'multipart/form-data' in (requestBody?.content ?? {});
  const withPhoto = Object.keys(paths).filter((path) => Object.values(paths[path] ?? {}).some(hasForm));
  expect(withPhoto).toContain('/api/change-model');
  const nginx = readFileSync('operations/nginx/podium.conf', 'utf8');
  const patient = new RegExp(/location ~ (\S+) \{[^}]*proxy_read_timeout 310s;/.exec(nginx)?.[1] ?? 'none');
  const waited = Object.keys(paths).filter((path) => patient.test(path));
  expect(waited.sort()).toEqual([...withPhoto, '/api/account/export', '/api/results/{id}/export'].sort());
});
