import webPush from 'web-push';

const vapid = webPush.generateVAPIDKeys();

/** Settings that a start with NODE_ENV=production accepts. */
export const PRODUCTION_ENV = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://podium.example',
  // The tests stand in for the proxy.
  TRUSTED_PROXIES: '127.0.0.1,::1',
  SESSION_SECRET: 'a-secret-of-more-than-32-characters',
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  SMTP_URL: 'smtps://podium:secret@mail.example',
  PAYMENTS: 'yookassa',
  YOOKASSA_SHOP_ID: '100500',
  YOOKASSA_SECRET_KEY: 'live_secret_key',
  OPERATOR_NAME: 'ИП Иванова Анна Петровна',
  OPERATOR_OGRNIP: '304500116000157',
  OPERATOR_INN: '500100732259',
  OPERATOR_EMAIL: 'help@shop.example',
  OPERATOR_MESSENGER_URL: 'https://t.me/shop_help',
};

const { SMTP_URL: _, ...withoutMailServer } = PRODUCTION_ENV;
/** PRODUCTION_ENV with the mails in the outbox, where a test reads them. */
export const PRODUCTION_WITH_OUTBOX = { ...withoutMailServer, MAIL: 'outbox' };
