import { generate } from 'selfsigned';

/** A certificate for localhost that vouches for itself, valid from yesterday until tomorrow; PEM. */
export async function makeCertificate(): Promise<{ key: string; certificate: string }> {
  const dayMs = 86_400_000;
  const { private: key, cert: certificate } = await generate([{ name: 'commonName', value: 'localhost' }], {
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
