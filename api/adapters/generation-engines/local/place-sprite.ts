import type { PlacedSprite } from './compose-picture.ts';
import type { FrameSize } from './scene.ts';
import { resizeSprite, type Sprite } from './sprite.ts';
import type { Layout } from './subject-layout.ts';

/** Brings a sprite to the size and place that a layout gives it in a frame. */
export async function placeSprite(sprite: Sprite, layout: Layout, frame: FrameSize): Promise<PlacedSprite> {
  const resized = await resizeSprite(
    sprite,
    Math.max(1, Math.round(layout.width * frame.width)),
    Math.max(1, Math.round(layout.height * frame.width)),
  );
  return {
    sprite: resized,
    left: Math.round(layout.left * frame.width),
    top: Math.round(layout.top * frame.width),
    support: layout.support,
  };
}
