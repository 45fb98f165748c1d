/**
 * The C interface of libheif (libheif/heif.h), of which this declares what heif-worker.ts uses. Pointers are numbers. A
 * function that returns a `heif_error` gets the place for it as its first argument.
 */
declare module 'libheif-js/wasm-bundle.js' {
  interface LibHeif {
    ready: Promise<unknown>;
    /** Another object after the memory has grown. */
    HEAPU8: Uint8Array<ArrayBuffer>;
    _malloc(bytes: number): number;
    _heif_context_alloc(): number;
    _heif_context_read_from_memory(error: number, context: number, bytes: number, length: number, options: 0): void;
    _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
    _heif_image_handle_get_item_id(handle: number): number;
    _heif_image_handle_get_width(handle: number): number;
    _heif_image_handle_get_height(handle: number): number;
    _heif_image_handle_get_ispe_width(handle: number): number;
    _heif_image_handle_get_ispe_height(handle: number): number;
    _heif_image_handle_has_alpha_channel(handle: number): number;
    _heif_image_handle_get_luma_bits_per_pixel(handle: number): number;
    _heif_image_handle_get_raw_color_profile_size(handle: number): number;
    _heif_image_handle_get_raw_color_profile(error: number, handle: number, bytes: number): void;
    _heif_image_handle_get_nclx_color_profile(error: number, handle: number, profile: number): void;
    _heif_item_get_transformation_properties(context: number, item: number, ids: number, max: number): number;
    _heif_item_get_property_type(context: number, item: number, property: number): number;
    _heif_item_get_property_transform_rotation_ccw(context: number, item: number, property: number): number;
    _heif_item_get_property_transform_mirror(context: number, item: number, property: number): number;
    _heif_item_get_property_transform_crop_borders(
      ...args: [
        ...[context: number, item: number, property: number, imageWidth: number, imageHeight: number],
        ...[left: number, top: number, right: number, bottom: number],
      ]
    ): void;
    _heif_decode_image(
      ...args: [error: number, handle: number, image: number, colourSpace: number, chroma: number, options: 0]
    ): void;
    _heif_image_get_width(image: number, channel: number): number;
    _heif_image_get_height(image: number, channel: number): number;
    _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
  }
  const libheif: LibHeif;
  export default libheif;
}
