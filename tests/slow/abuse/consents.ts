import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readMailedCode } from '#tests/support/running-server.ts';
import { type AbuseCase, cookieOf, describeAnswer } from './abuse-fixture.ts';

/** Photos of somebody who has left the consent out. */
export const CONSENT_CASES: AbuseCase[] = [
  {
    name: 'a registration without a consent, then a photo and a start with one',
    expected: '200, 403 consent_required, 403 consent_required',
    async try(fixture) {
      const email = 'silent@example.com';
      const registered = await fixture.post('/api/register', { email, password: 'мокрый-зонтик' });
      const verificationCode = await readMailedCode(fixture.server.dataDir, email);
      const verified = await fixture.post('/api/verify-email', { verificationCode }, { cookie: cookieOf(registered) });
      const cookie = cookieOf(verified);
      const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
      const send = async (path: string) => {
        const body = new FormData();
        body.set('image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'photo.jpg');
        return describeAnswer(await fixture.call(path, { method: 'POST', body, cookie }));
      };
      return [registered.status, await send('/api/upload'), await send('/api/photosession')].join(', ');
    },
  },
  {
    name: 'a made-up version of the consents',
    expected: '400 invalid_request, 400 invalid_request',
    async try(fixture) {
      const cookie = await fixture.register('made-up@example.com');
      const give = async (kind: string) =>
        describeAnswer(await fixture.post('/api/account/consents', { kind, version: '2099-01-01' }, { cookie }));
      return [await give('documents'), await give('transfer')].join(', ');
    },
  },
];
