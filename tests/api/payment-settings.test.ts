import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#api/config/config.ts';
import { PRODUCTION_ENV } from '#tests/support/production-env.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'podium-payment-settings-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const read = (env: Record<string, string> = {}) => readConfig({ DATA_DIR: dataDir, ...env });

describe('payments', () => {
  const shop = { PAYMENTS: 'yookassa', YOOKASSA_SHOP_ID: '100500', YOOKASSA_SECRET_KEY: 'test_hunter2' };

  it('are played by the sandbox unless said otherwise', () => {
    expect(read()).toMatchObject({
      payments: ['sandbox'],
      receipt: { vatCode: 1, subject: 'service', mode: 'full_payment', taxSystem: undefined },
    });
  });

  it('of YooKassa need its shop and key', () => {
    expect(read(shop)).toMatchObject({ payments: ['yookassa'], yookassa: { shopId: '100500' }, tbank: null });
    expect(() => read({ ...shop, YOOKASSA_SHOP_ID: '' })).toThrow('YOOKASSA_SHOP_ID: must be set');
    expect(() => read({ ...shop, YOOKASSA_SECRET_KEY: '' })).toThrow('YOOKASSA_SECRET_KEY: must be set');
    expect(() => read({ PAYMENTS: 'barter' })).toThrow(/PAYMENTS: .* \(is «barter»\)/);
  });

  const terminal = {
    TBANK_TERMINAL_KEY: '1700000000000DEMO',
    TBANK_PASSWORD: 'hunter2hunter2',
    RECEIPT_TAX_SYSTEM: '2',
  };

  it('of T-Bank need its terminal, its password and a tax system that it knows', () => {
    const set = read({ ...terminal, PAYMENTS: 'tbank' });
    expect(set).toMatchObject({
      payments: ['tbank'],
      yookassa: null,
      tbank: { terminalKey: '1700000000000DEMO', apiUrl: 'https://securepay.tinkoff.ru/v2' },
    });
    for (const name of ['TBANK_TERMINAL_KEY', 'TBANK_PASSWORD']) {
      expect(() => read({ ...terminal, PAYMENTS: 'tbank', [name]: '' })).toThrow(
        `${name}: must be set for PAYMENTS=tbank`,
      );
    }
    for (const system of ['', '4']) {
      expect(() => read({ ...terminal, PAYMENTS: 'tbank', RECEIPT_TAX_SYSTEM: system })).toThrow(
        /RECEIPT_TAX_SYSTEM: 1, 2/,
      );
    }
  });

  it.each([
    ['YooKassa', { YOOKASSA_SECRET_KEY: 'test_hunter2' }, { YOOKASSA_SECRET_KEY: 'live_hunter2' }],
    [
      'T-Bank',
      { ...terminal, PAYMENTS: 'yookassa,tbank', YOOKASSA_SECRET_KEY: 'live_hunter2' },
      { TBANK_TERMINAL_KEY: '1700000000000' },
    ],
  ])('of a test shop of %s are sold in production only if the operator allows it', (_name, test, live) => {
    const production = { ...PRODUCTION_ENV, ...test };
    expect(() => read(production)).toThrow(/KEY: not of a test shop in production, or PAYMENTS_TEST=allow/);
    expect(() => read(production)).not.toThrow('hunter2');
    expect(read({ ...production, PAYMENTS_TEST: 'allow' }).unreadSettings).toEqual([]);
    expect(read({ ...production, ...live }).payments).toContain('yookassa');
  });

  it('of a test shop that is offered to nobody any more do not stop a start', () => {
    const set = read({ ...PRODUCTION_ENV, ...terminal, PAYMENTS: 'yookassa' });
    expect(set.tbank).toMatchObject({ isTest: true });
    expect(set.yookassa).toMatchObject({ isTest: false });
  });

  it('may have several providers, in the order they are named, but the sandbox stands alone', () => {
    expect(read({ ...shop, ...terminal, PAYMENTS: 'tbank, yookassa,tbank' }).payments).toEqual(['tbank', 'yookassa']);
    expect(() => read({ ...shop, PAYMENTS: 'sandbox,yookassa' })).toThrow(/PAYMENTS: sandbox alone/);
    expect(() => read({ PAYMENTS: ',' })).toThrow('PAYMENTS');
  });

  it('of a provider that is not offered any more keep its keys, and its settings are read', () => {
    const set = read({ ...shop, ...terminal, PAYMENTS: 'tbank' });
    expect(set).toMatchObject({ payments: ['tbank'], yookassa: { shopId: '100500' }, unreadSettings: [] });
  });

  it('accept notifications from the documented addresses, from other configured ones, or from any when none is set', () => {
    expect(read(shop).yookassa?.webhookAddresses).toContain('185.71.76.0/27');
    const set = read({ ...shop, YOOKASSA_WEBHOOK_ADDRESSES: '10.0.0.1, 10.1.0.0/16' });
    expect(set.yookassa?.webhookAddresses).toEqual(['10.0.0.1', '10.1.0.0/16']);
    expect(read({ ...shop, YOOKASSA_WEBHOOK_ADDRESSES: '' }).yookassa?.webhookAddresses).toEqual([]);
    expect(() => read({ ...shop, YOOKASSA_WEBHOOK_ADDRESSES: 'yookassa.ru' })).toThrow('YOOKASSA_WEBHOOK_ADDRESSES');
  });
});
