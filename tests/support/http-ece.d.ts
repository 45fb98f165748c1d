declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  const ece: {
    /** Decrypts a whole body. Throws when the key does not match. */
    decrypt(body: Buffer, options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer;
  };
  export default ece;
}
