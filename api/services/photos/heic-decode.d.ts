/** The package ships no types; only what heic-worker.ts uses. */
declare module 'heic-decode' {
  interface HeifImage {
    /** In pixels, after the turn that the file asks for. */
    width: number;
    height: number;
    /** RGBA, 8 bits, in the colour space of the file. */
    decode(): Promise<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>;
  }
  const decodeHeif: { all(input: { buffer: Uint8Array }): Promise<HeifImage[]> };
  export default decodeHeif;
}
