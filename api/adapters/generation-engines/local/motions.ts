import type { MotionPreset } from '#shared/rules/motion-presets.ts';

/**
 * State of subject and ground at one moment, relative to the photo. All zeros (zoom 1) is the photo itself. Every
 * motion starts there, because marketplaces use the first frame as the poster.
 */
export interface Pose {
  /** Turn about the upright axis, tilt about the horizontal axis, lean in the picture plane. In degrees. */
  yaw: number;
  pitch: number;
  roll: number;
  /** Shares of the frame's height. */
  shiftX: number;
  shiftY: number;
  zoom: number;
  groundZoom: number;
  groundShiftX: number;
  groundShiftY: number;
  /** Direction of the light: -1 left, 0 as in the photo, 1 right. */
  light: number;
  /** Opacity of shadow and vignette, 0 to 1. */
  depthCue: number;
}

export const STILL: Pose = {
  yaw: 0,
  pitch: 0,
  roll: 0,
  shiftX: 0,
  shiftY: 0,
  zoom: 1,
  groundZoom: 1,
  groundShiftX: 0,
  groundShiftY: 0,
  light: 0,
  depthCue: 0,
};

/** Rises from 0 to 1 between two moments, with a smooth start and end. */
function ease(from: number, to: number, now: number): number {
  const x = Math.min(1, Math.max(0, (now - from) / (to - from)));
  return x * x * x * (x * (x * 6 - 15) + 10);
}

/** Angle of a sine that makes whole turns with gentle ends, about one turn in five seconds. */
function swing(share: number, seconds: number): number {
  const turns = Math.max(1, Math.round(seconds / 5));
  return 2 * Math.PI * turns * (0.45 * share + 0.55 * ease(0, 1, share));
}

export const FRAMES_PER_SECOND = 30;

export interface MotionSpan {
  preset: MotionPreset;
  durationSeconds: number;
}

type Motion = (now: number, duration: number) => Partial<Pose>;

const STEPS_PER_SECOND = 1.7;
const BEATS_PER_SECOND = 0.8;

/**
 * Turns, tilts and leans are small, because they slant hems and stripes. `keepLinesUpright` reduces them further where
 * needed. The motions differ in the camera's path, its distance and the light.
 */
const MOTIONS: Record<MotionPreset, Motion> = {
  /** The camera circles to one side, through the front to the other side, and back. The light follows. */
  spin(now, duration) {
    const angle = swing(now / duration, duration);
    const gate = ease(0, 0.7, now);
    const turn = Math.sin(angle) * gate;
    return {
      yaw: 13 * turn,
      shiftX: 0.045 * turn,
      zoom: 1 + 0.05 * (1 - Math.cos(angle)),
      groundZoom: 1 + 0.01 * (1 - Math.cos(angle)),
      groundShiftX: 0.022 * turn,
      light: turn,
    };
  },
  /** Comes towards the viewer with a stride. */
  walk(now, duration) {
    const present = ease(0, 0.9, now);
    const stride = Math.sin(Math.PI * STEPS_PER_SECOND * now) * present;
    const rise = ((1 - Math.cos(2 * Math.PI * STEPS_PER_SECOND * now)) / 2) * present;
    const share = now / duration;
    const nearness = 0.45 * share * ease(0, 0.25, share) + 0.55 * ease(0, 1, share);
    return {
      yaw: 3 * stride,
      roll: 0.6 * stride,
      shiftX: 0.012 * stride,
      shiftY: 0.012 * rise - 0.01 * nearness,
      zoom: 1 + 0.28 * nearness,
      groundZoom: 1 + 0.08 * nearness,
      groundShiftX: 0.004 * stride,
      light: 0.3 * stride,
    };
  },
  /** Shown from one side, then from the other, with a pause at each. Then the camera comes close. */
  pose(now, duration) {
    const share = now / duration;
    const first = ease(0.04, 0.2, share) - ease(0.36, 0.52, share);
    const second = ease(0.36, 0.52, share) - ease(0.7, 0.86, share);
    const close = ease(0.66, 0.97, share);
    return {
      yaw: 9 * (first - second),
      roll: -0.4 * (first - second),
      shiftX: -0.055 * (first - second),
      zoom: 1 + 0.14 * (first + second) + 0.32 * close,
      groundZoom: 1 + 0.02 * (first + second) + 0.07 * close,
      groundShiftX: -0.032 * (first - second),
      light: 0.9 * (first - second),
    };
  },
  /** Sways to a slow beat with the feet in place. */
  dance(now, duration) {
    const present = ease(0, 0.9, now) * (1 - ease(duration - 0.8, duration, now));
    const beat = 2 * Math.PI * BEATS_PER_SECOND * now;
    const bounce = (1 - Math.cos(2 * beat)) / 2;
    return {
      yaw: 3 * Math.sin(beat) * present,
      roll: -0.9 * Math.sin(beat - 0.4) * present,
      shiftX: 0.026 * Math.sin(beat - 0.2) * present,
      shiftY: -0.016 * bounce * present,
      zoom: 1 + 0.035 * bounce * present,
      groundZoom: 1 + 0.01 * bounce * present,
      groundShiftX: 0.012 * Math.sin(beat - 0.2) * present,
      light: 0.7 * Math.sin(beat) * present,
    };
  },
  /** The camera circles a standing product, rises, and ends closer and slightly above. */
  shoe(now, duration) {
    const angle = swing(now / duration, duration);
    const gate = ease(0, 0.7, now);
    const turn = Math.sin(angle) * gate;
    const lift = (1 - Math.cos(angle)) / 2;
    return {
      yaw: -11 * turn,
      pitch: 4 * lift,
      shiftX: -0.05 * turn,
      zoom: 1 + 0.2 * lift,
      groundZoom: 1 + 0.07 * lift,
      groundShiftX: -0.028 * turn,
      groundShiftY: 0.012 * lift,
      light: -0.8 * turn,
    };
  },
};

/** The pose `now` seconds into a motion of `duration` seconds. */
export function poseAt(preset: MotionPreset, now: number, duration: number): Pose {
  return { ...STILL, depthCue: ease(0, 1.1, now), ...MOTIONS[preset](now, duration) };
}

/**
 * The same motion as a camera move over an undivided picture. The light stays constant, because the surfaces it would
 * fall on are unknown.
 */
export function asWholeFrameMove(pose: Pose): Pose {
  return { ...pose, light: 0 };
}
