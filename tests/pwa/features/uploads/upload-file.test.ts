import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uploadFile } from '#pwa/features/uploads/upload-file.ts';
import { startModelChange } from '#shared/contract/model-changes.ts';

const answer = { status: 'QUEUED', request_id: 'r1', result_url: null, stars_spent: 0, current_star_balance: 13 };
const sent: { form: FormData; headers: Record<string, string> }[] = [];

/** Node has no XMLHttpRequest. This one answers every form at once. */
class InstantRequest {
  status = 200;
  statusText = 'OK';
  responseText = JSON.stringify(answer);
  upload = {};
  headers: Record<string, string> = {};
  onload = () => undefined;
  onloadend = () => undefined;
  open() {}
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(form: FormData) {
    sent.push({ form, headers: this.headers });
    this.onload();
    this.onloadend();
  }
}
beforeAll(() => vi.stubGlobal('XMLHttpRequest', InstantRequest));
afterAll(() => vi.unstubAllGlobals());

test('a form carries its text fields before the file, and leaves out what is not given', async () => {
  const fields = { imageId: undefined, modelImageUrl: '/attached_assets/woman/w5.webp', backgroundImageUrl: '' };
  const file = new Blob(['jpeg'], { type: 'image/jpeg' });
  expect(await uploadFile(startModelChange, { file, fields }, { headers: { 'idempotency-key': 'k1' } })).toEqual(
    answer,
  );
  expect([...(sent[0]?.form.keys() ?? [])]).toEqual(['modelImageUrl', 'backgroundImageUrl', 'userImage']);
  expect(sent[0]?.form.get('backgroundImageUrl')).toBe('');
  expect(sent[0]?.headers).toEqual({ 'idempotency-key': 'k1' });
});

test('a form with text fields may do without the file', async () => {
  const fields = { imageId: 'p1', modelImageUrl: '/m.webp', backgroundImageUrl: '/b.webp' };
  await uploadFile(startModelChange, { fields });
  expect([...(sent.at(-1)?.form.keys() ?? [])]).toEqual(['imageId', 'modelImageUrl', 'backgroundImageUrl']);
});
