import { describe, expect, it } from 'vitest';
import { operator } from '#shared/contract/operator.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const VERSION = DOCUMENTS_VERSION;
const OPERATOR = {
  OPERATOR_NAME: 'ИП Иванова Анна Петровна',
  OPERATOR_OGRNIP: '304500116000157',
  OPERATOR_INN: '500100732259',
  OPERATOR_EMAIL: 'help@shop.example',
  OPERATOR_MESSENGER_URL: 'https://t.me/shop_help',
};

describe('what the public pages say of the operator', () => {
  const testApp = useTestApp({ env: { ...OPERATOR, LEGAL_DOCUMENTS_REVIEWED: VERSION } });

  it('comes from the configuration and needs no sign-in', async () => {
    const response = await testApp.server.inject('/api/operator');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      name: 'ИП Иванова Анна Петровна',
      ogrnip: '304500116000157',
      inn: '500100732259',
      email: 'help@shop.example',
      messengerUrl: 'https://t.me/shop_help',
      isSample: false,
      areDocumentsReviewed: true,
      sendsPhotosAbroad: false,
    });
  });

  it('the messenger is the help too, unless the help is elsewhere', async () => {
    const response = await testApp.server.inject('/help');
    expect(response.headers.location).toBe('https://t.me/shop_help');
  });
});

describe('an operator who has not introduced themselves', () => {
  const { OPERATOR_NAME, OPERATOR_INN } = OPERATOR;
  const HELP_URL = 'https://help.example/podium';
  // The review was of another version of the documents, so it does not count.
  const testApp = useTestApp({
    env: { OPERATOR_NAME, OPERATOR_INN, HELP_URL, LEGAL_DOCUMENTS_REVIEWED: '2020-01-01' },
  });

  it('is an example, and the documents are a draft', async () => {
    const answer = operator.parse((await testApp.server.inject('/api/operator')).json());
    expect(answer).toMatchObject({
      name: 'ИП Иванова Анна Петровна',
      ogrnip: '000000000000000',
      isSample: true,
      areDocumentsReviewed: false,
    });
  });

  it('leads to the help that the setting names', async () => {
    const response = await testApp.server.inject('/help');
    expect([response.statusCode, response.headers.location]).toEqual([302, HELP_URL]);
  });
});
