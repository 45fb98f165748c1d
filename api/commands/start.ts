import { prepare } from './prepare.ts';
import { reportStartError } from './report-start-error.ts';

const startedAt = performance.now();
try {
  // `npm run dev` serves the interface itself.
  prepare({ pwa: !process.argv.includes('--without-pwa') });
  const { buildKernel } = await import('#api/adapters/generation-engines/local/kernel/build-kernel.ts');
  await buildKernel();
  // Only now: these import what `prepare` generates.
  const { main } = await import('#api/main.ts');
  const { listenForOperator } = await import('./operator-socket.ts');
  const { describeStart } = await import('./describe-start.ts');
  const { app, address } = await main();
  if (!app.config.databaseUrl) await listenForOperator(app);
  console.log(describeStart(app.config, address, performance.now() - startedAt));
} catch (error) {
  reportStartError(error);
}
