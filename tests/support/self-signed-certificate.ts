import { randomUUID } from 'node:crypto';
import { generate } from 'selfsigned';

/** Makes a self-signed certificate for localhost in PEM, valid from yesterday until tomorrow. */
export async function makeCertificate(): Promise<{ key: string; certificate: string }> {
  const dayMs = 86_400_000;
  // Trusted certificates are found by their names, so each needs a different one.
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
