import { prepareEmbeddedTemplate, prepareServerTemplate } from './database-template.ts';

/** Runs once before the tests, so that their workers do not all make the template. */
export default async function prepareDatabase(): Promise<void> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (serverUrl) await prepareServerTemplate(serverUrl);
  else await prepareEmbeddedTemplate();
}
