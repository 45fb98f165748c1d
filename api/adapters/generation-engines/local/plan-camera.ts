import { type Bounds, containingZooms, coveringZooms, keepLinesUpright, stepBack } from './camera.ts';
import { asWholeFrameMove, FRAMES_PER_SECOND, type MotionSpan, type Pose, poseAt } from './motions.ts';
import type { Scene } from './scene.ts';
import { subjectPivot } from './warp-grid.ts';

/** The view of one frame. The zoom is separate from the pose, because it also depends on the neighbouring moments. */
export interface Shot {
  pose: Pose;
  zoom: number;
}

/** Plans all frames of a motion, so that the scene's lines stay upright and its subject stays in the frame. */
export function planCamera(scene: Scene, { preset, durationSeconds }: MotionSpan): Shot[] {
  const { frame, box, cut, isCutOut, margin } = scene;
  const pivot = subjectPivot(scene);
  const subject = { box, pivot, cut };
  const authored = Array.from({ length: Math.round(durationSeconds * FRAMES_PER_SECOND) }, (_, i) =>
    poseAt(preset, i / FRAMES_PER_SECOND, durationSeconds),
  );
  // All lines of a board count, wherever they are.
  const bounds = isCutOut ? box : { left: 0, top: 0, right: frame.width, bottom: frame.height };
  const upright = keepLinesUpright(isCutOut ? authored : authored.map(asWholeFrameMove), frame, bounds, pivot);
  // A picture without a plain ground has no room around it, and no known subject to keep in the frame.
  const hasRoom = isCutOut || margin > 0;
  const poses = hasRoom ? stepBack(upright, frame, subject) : upright;
  const containing = hasRoom ? containingZooms(poses, frame, subject) : poses.map((pose) => pose.zoom);
  if (isCutOut) return poses.map((pose, i) => ({ pose, zoom: containing[i]! }));
  const contained = poses.map((pose, i) => ({ ...pose, zoom: containing[i]! }));
  const covering = coveringZooms(contained, frame, { reach: reachOfBoard(scene), pivot });
  return poses.map((pose, i) => ({ pose, zoom: covering[i]! }));
}

/** More ground can be shown on every side at which the photo does not cut the subject off. */
function reachOfBoard({ frame, margin, cut }: Scene): Bounds {
  return {
    left: cut.left ? 0 : -margin,
    top: cut.top ? 0 : -margin,
    right: frame.width + (cut.right ? 0 : margin),
    bottom: frame.height + (cut.bottom ? 0 : margin),
  };
}
