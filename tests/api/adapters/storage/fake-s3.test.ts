import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAKE_S3_KEYS, type FakeS3, startFakeS3 } from '#tests/support/fake-s3.ts';
import { checkSignature, S3Refusal } from '#tests/support/fake-s3-signature.ts';

let s3: FakeS3;
beforeAll(async () => {
  s3 = await startFakeS3();
});
afterAll(() => s3.close());

/** The example of Amazon's documentation, «Authenticating Requests: Using Query Parameters». */
const EXAMPLE = {
  method: 'GET',
  headers: { host: 'examplebucket.s3.amazonaws.com' },
  url:
    '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256' +
    '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
    '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
    '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
};
const SIGNED_AT = new Date('2013-05-24T00:00:00Z');

test('the documented example of a presigned link is valid for its day', () => {
  const check =
    (at: number, request = EXAMPLE, keys = FAKE_S3_KEYS) =>
    () =>
      checkSignature(request, keys, new Date(SIGNED_AT.getTime() + at));
  expect(check(0)()).toEqual({ isPresigned: true });
  expect(check(86_400_000)).not.toThrow();
  expect(check(86_401_000)).toThrow('Request has expired');
  expect(check(-16 * 60_000)).toThrow('RequestTimeTooSkewed');
  expect(check(0, { ...EXAMPLE, url: EXAMPLE.url.replace('test.txt', 'text.txt') })).toThrow('SignatureDoesNotMatch');
  expect(check(0, { ...EXAMPLE, headers: { host: 'other.s3.amazonaws.com' } })).toThrow('SignatureDoesNotMatch');
  expect(check(0, EXAMPLE, { ...FAKE_S3_KEYS, secretAccessKey: 'wrong' })).toThrow('SignatureDoesNotMatch');
  expect(check(0, EXAMPLE, { ...FAKE_S3_KEYS, accessKeyId: 'AKIAOTHER' })).toThrow('InvalidAccessKeyId');
  expect(check(0, { ...EXAMPLE, url: EXAMPLE.url.replace('=86400', '=604801') })).toThrow(S3Refusal);
});

/** The example of a GET with a range, «Authenticating Requests: Using the Authorization Header». */
test('the documented example of a signed request is valid', () => {
  const request = {
    method: 'GET',
    url: '/test.txt',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
        'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
        'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
  };
  expect(checkSignature(request, FAKE_S3_KEYS, SIGNED_AT)).toEqual({ isPresigned: false });
  const unsigned = { ...request, headers: { ...request.headers, 'x-amz-acl': 'public-read' } };
  expect(() => checkSignature(unsigned, FAKE_S3_KEYS, SIGNED_AT)).toThrow('not signed');
});

test('nobody gets in without a signature', async () => {
  for (const [method, path] of [
    ['GET', '/podium-test/a'],
    ['PUT', '/podium-test/a'],
    ['GET', '/podium-test?list-type=2'],
  ]) {
    const response = await fetch(s3.endpoint + path, {
      method: method ?? '',
      ...(method === 'PUT' ? { body: 'x' } : {}),
    });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('AccessDenied')]);
  }
});
