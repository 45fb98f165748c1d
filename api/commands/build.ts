// `npm run build`: builds everything that a start needs, without starting.
import { prepare } from './prepare.ts';
import { reportStartError } from './report-start-error.ts';

try {
  prepare({ pwa: true });
  const { buildKernel } = await import('#api/adapters/generation-engines/local/kernel/build-kernel.ts');
  await buildKernel();
  console.log('Everything is built.');
} catch (error) {
  reportStartError(error);
}
