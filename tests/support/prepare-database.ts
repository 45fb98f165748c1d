import type { TestProject } from 'vitest/node';
import { prepareEmbeddedTemplate, prepareServerTemplate } from './database-template.ts';

/** Runs once before the tests of a project, so that their workers do not all make the template. */
export default async function prepareDatabase({ config }: TestProject): Promise<void> {
  const serverUrl = config.env.TEST_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  if (serverUrl) await prepareServerTemplate(serverUrl);
  else await prepareEmbeddedTemplate();
}
