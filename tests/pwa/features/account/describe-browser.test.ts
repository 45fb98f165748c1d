import { expect, test } from 'vitest';
import { describeBrowser } from '#pwa/features/account/describe-browser.ts';

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

test.each([
  [`${CHROME} Safari/537.36`, 'Chrome, Windows', false],
  [`${CHROME} YaBrowser/25.10.0.0 Safari/537.36`, 'Яндекс Браузер, Windows', false],
  [`${CHROME} Safari/537.36 Edg/142.0.0.0`, 'Edge, Windows', false],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari, iPhone',
    true,
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/142.0 Mobile Safari/537.36',
    'Chrome, Android',
    true,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox, Linux', false],
  ['', 'Неизвестный браузер', false],
])('%s is %s', (userAgent, name, isPhone) => {
  expect(describeBrowser(userAgent)).toEqual({ name, isPhone });
});
