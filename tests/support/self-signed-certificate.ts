import { randomUUID } from 'node:crypto';
import { generate } from 'selfsigned';

/** A certificate for localhost that vouches for itself, valid from yesterday until tomorrow; PEM. */
export async function makeCertificate(): Promise<{ key: string; certificate: string }> {
  const dayMs = 86_400_000;
  // Authorities are told apart by their names: of two called the same, the wrong one may be looked at.
  const name = `localhost ${randomUUID()}`;
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - dayMs),
    notAfterDate: new Date(Date.now() + dayMs),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  return { key, certificate };
}
