/** The package has no types. Declares only what heic-worker.ts uses. */
declare module 'heic-decode' {
  interface HeifImage {
    /** In pixels, after the rotation that the file requests. */
    width: number;
    height: number;
    /** RGBA, 8 bits, in the colour space of the file. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>;
  }
  const decodeHeif: { all(input: { buffer: Uint8Array }): Promise<HeifImage[]> };
  export default decodeHeif;
}
