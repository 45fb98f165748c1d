import { containingZooms, coveringZooms, keepLinesUpright, stepBack } from './camera.ts';
import { asWholeFrameMove, type MotionSpan, type Pose, poseAt } from './motions.ts';
import type { Scene } from './scene.ts';
import { subjectPivot } from './warp-grid.ts';

/** How one frame is seen. The zoom stands apart from the pose because it also depends on the moments around. */
export interface Shot {
  pose: Pose;
  zoom: number;
}

/** Plans all frames of a motion so that this scene's lines stay as they run and its subject stays in the frame. */
export function planCamera(scene: Scene, { preset, durationSeconds, framesPerSecond }: MotionSpan): Shot[] {
  const { frame, box, cut, isCutOut, margin } = scene;
  const pivot = subjectPivot(scene);
  const subject = { box, pivot, cut };
  const authored = Array.from({ length: Math.round(durationSeconds * framesPerSecond) }, (_, i) =>
    poseAt(preset, i / framesPerSecond, durationSeconds),
  );
  // A board's lines count wherever they run.
  const bounds = isCutOut ? box : { left: 0, top: 0, right: frame.width, bottom: frame.height };
  const upright = keepLinesUpright(isCutOut ? authored : authored.map(asWholeFrameMove), frame, bounds, pivot);
  // A board without room around it cannot step back, and fills the frame instead.
  const hasRoom = isCutOut || margin > 0;
  const poses = hasRoom ? stepBack(upright, frame, subject, framesPerSecond) : upright;
  const containing = hasRoom ? containingZooms(poses, frame, subject, framesPerSecond) : poses.map((pose) => pose.zoom);
  if (isCutOut) return poses.map((pose, i) => ({ pose, zoom: containing[i]! }));
  const contained = poses.map((pose, i) => ({ ...pose, zoom: containing[i]! }));
  const covering = coveringZooms(contained, frame, margin, framesPerSecond);
  return poses.map((pose, i) => ({ pose, zoom: covering[i]! }));
}
