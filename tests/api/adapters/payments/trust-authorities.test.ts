import { X509Certificate } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createTbankProvider } from '#api/adapters/payments/tbank/tbank-provider.ts';
import { trustAuthorities } from '#api/adapters/trust-authorities.ts';
import { createFakeTbank, FAKE_TERMINAL, type FakeTbank } from '#tests/support/fake-tbank.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';

const KNOWN = getCACertificates('default');
const readPrints = () => getCACertificates('default').map((one) => new X509Certificate(one).fingerprint256);
const known = readPrints();
const { key, certificate } = await makeCertificate();

let tbank: FakeTbank;
beforeAll(async () => {
  tbank = await createFakeTbank({ key, cert: certificate });
});
afterEach(() => setDefaultCACertificates(KNOWN));
afterAll(() => tbank.close());

const ask = () =>
  createTbankProvider({
    ...FAKE_TERMINAL,
    apiUrl: tbank.apiUrl,
    notificationUrl: null,
    receipt: { vatCode: 1, subject: 'service', mode: 'full_payment', taxSystem: 2 },
  }).checkout.fetch('1');

it('servers of named authorities and of known ones are trusted, and servers of others are not', async () => {
  await expect(ask()).rejects.toThrow('could not be reached');
  trustAuthorities([(await makeCertificate()).certificate]);
  await expect(ask()).rejects.toThrow('could not be reached');
  trustAuthorities([certificate]);
  expect(await ask()).toBeNull();
  expect(readPrints()).toEqual(expect.arrayContaining(known));
});
