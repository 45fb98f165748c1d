import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FakePushService, startFakePushService } from '#tests/support/fake-push-service.ts';
import { makeCertificate } from '#tests/support/self-signed-certificate.ts';

/** Prepares the settings of a push service that a test starts later. */
export async function preparePushService(
  dataDir: string,
  port: number,
): Promise<{ host: string; certificateFile: string }> {
  const { keyFile, certificateFile } = filesIn(dataDir);
  // Every worker reads the configuration, and the program already uses the first certificate.
  if (!existsSync(certificateFile)) {
    const { key, certificate } = await makeCertificate();
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certificateFile, certificate);
  }
  return { host: `localhost:${port + 1}`, certificateFile };
}

/** Starts the push service that the program is configured for. */
export function startPreparedPushService(port: number): Promise<FakePushService> {
  const { keyFile, certificateFile } = filesIn(process.env.E2E_DATA_DIR ?? '');
  const identity = { key: readFileSync(keyFile, 'utf8'), certificate: readFileSync(certificateFile, 'utf8') };
  return startFakePushService({ identity, port: port + 1 });
}

function filesIn(dataDir: string): { keyFile: string; certificateFile: string } {
  return { keyFile: path.join(dataDir, 'push.key'), certificateFile: path.join(dataDir, 'push.pem') };
}
