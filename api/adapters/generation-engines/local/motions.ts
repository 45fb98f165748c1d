import type { MotionPreset } from '#shared/rules/motion-presets.ts';

/**
 * How subject and ground stand at one moment, relative to the photo. Zero everywhere (zoom 1) is the photo itself,
 * and every motion starts there: marketplaces take the first frame as the poster.
 */
export interface Pose {
  /** Turn about the upright axis, tilt about the horizontal one, lean in the picture plane; degrees. */
  yaw: number;
  pitch: number;
  roll: number;
  /** Shares of the frame's height. */
  shiftX: number;
  shiftY: number;
  zoom: number;
  /** Sideways swing of the hips while feet stay, as a share of the frame's height. */
  sway: number;
  groundZoom: number;
  groundShiftX: number;
  groundShiftY: number;
  /** Light from the left (-) or right (+): how far shading may change, as a share. */
  light: number;
  /** How far shadow and vignette have faded in, 0 to 1. */
  depthCue: number;
}

export const STILL: Pose = {
  yaw: 0,
  pitch: 0,
  roll: 0,
  shiftX: 0,
  shiftY: 0,
  zoom: 1,
  sway: 0,
  groundZoom: 1,
  groundShiftX: 0,
  groundShiftY: 0,
  light: 0,
  depthCue: 0,
};

/** From 0 to 1 between the two moments, starting and stopping without a jerk. */
function ease(from: number, to: number, now: number): number {
  const x = Math.min(1, Math.max(0, (now - from) / (to - from)));
  return x * x * x * (x * (x * 6 - 15) + 10);
}

/** Angle that runs through whole turns of the sine, gently at both ends: about one turn in five seconds. */
function swing(share: number, seconds: number): number {
  const turns = Math.max(1, Math.round(seconds / 5));
  return 2 * Math.PI * turns * (0.45 * share + 0.55 * ease(0, 1, share));
}

type Motion = (now: number, duration: number) => Partial<Pose>;

const STEPS_PER_SECOND = 1.7;
const BEATS_PER_SECOND = 0.8;

const MOTIONS: Record<MotionPreset, Motion> = {
  /** Turns to one side, through the front to the other, and back. */
  spin(now, duration) {
    const angle = swing(now / duration, duration);
    const gate = ease(0, 0.7, now);
    const turn = Math.sin(angle) * gate;
    return {
      yaw: 32 * turn,
      pitch: 1.2 * Math.sin(2 * angle) * gate,
      zoom: 1 + 0.025 * (1 - Math.cos(angle)),
      groundZoom: 1 + 0.01 * (1 - Math.cos(angle)),
      groundShiftX: -0.02 * turn,
      light: 0.2 * turn,
    };
  },
  /** Comes towards the viewer with a stride. */
  walk(now, duration) {
    const stride = Math.sin(Math.PI * STEPS_PER_SECOND * now) * ease(0, 0.9, now);
    const rise = ((1 - Math.cos(2 * Math.PI * STEPS_PER_SECOND * now)) / 2) * ease(0, 0.9, now);
    const share = now / duration;
    const nearness = 0.45 * share * ease(0, 0.25, share) + 0.55 * ease(0, 1, share);
    return {
      yaw: 6 * stride,
      roll: 1.1 * stride,
      shiftX: 0.012 * stride,
      shiftY: 0.012 * rise - 0.01 * nearness,
      zoom: 1 + 0.22 * nearness,
      sway: 0.008 * stride,
      groundZoom: 1 + 0.07 * nearness,
      groundShiftX: -0.003 * stride,
      light: 0.08 * stride,
    };
  },
  /** Takes up two attitudes, then faces the viewer while the camera comes close. */
  pose(now, duration) {
    const share = now / duration;
    const first = ease(0.04, 0.22, share) - ease(0.36, 0.52, share);
    const second = ease(0.36, 0.52, share) - ease(0.68, 0.86, share);
    const close = ease(0.62, 0.97, share);
    const drift = ease(0, 1, share);
    return {
      yaw: 17 * first - 17 * second,
      roll: -2 * first + 2 * second,
      sway: 0.014 * (first - second),
      zoom: 1 + 0.04 * drift + 0.2 * close,
      shiftY: 0.05 * close,
      groundZoom: 1 + 0.02 * drift + 0.05 * close,
      groundShiftX: -0.012 * (first - second),
      light: 0.16 * (first - second),
    };
  },
  /** Sways to a slow beat with the feet in place. */
  dance(now, duration) {
    const present = ease(0, 0.9, now) * (1 - ease(duration - 0.8, duration, now));
    const beat = 2 * Math.PI * BEATS_PER_SECOND * now;
    const bounce = (1 - Math.cos(2 * beat)) / 2;
    return {
      yaw: 13 * Math.sin(beat) * present,
      roll: -2.6 * Math.sin(beat - 0.4) * present,
      shiftX: 0.012 * Math.sin(beat - 0.2) * present,
      shiftY: -0.01 * bounce * present,
      sway: 0.026 * Math.sin(beat - 0.5) * present,
      zoom: 1 + 0.02 * bounce * present,
      groundShiftX: -0.006 * Math.sin(beat) * present,
      light: 0.14 * Math.sin(beat) * present,
    };
  },
  /** The camera circles a standing thing and looks at it a little from above. */
  shoe(now, duration) {
    const angle = swing(now / duration, duration);
    const gate = ease(0, 0.7, now);
    const turn = Math.sin(angle) * gate;
    const lift = (1 - Math.cos(angle)) / 2;
    return {
      yaw: -34 * turn,
      pitch: 5 * lift,
      roll: 0.8 * turn,
      zoom: 1 + 0.1 * lift,
      groundZoom: 1 + 0.06 * lift,
      groundShiftX: 0.04 * turn,
      groundShiftY: 0.012 * lift,
      light: -0.14 * turn,
    };
  },
};

/** Where things stand `now` seconds into a motion of `duration` seconds. */
export function poseAt(preset: MotionPreset, now: number, duration: number): Pose {
  return { ...STILL, depthCue: ease(0, 1.1, now), ...MOTIONS[preset](now, duration) };
}

/** The same motion as a camera move over an undivided picture: smaller, because everything moves as one board. */
export function asWholeFrameMove(pose: Pose): Pose {
  return {
    ...pose,
    yaw: pose.yaw * 0.34,
    pitch: pose.pitch * 0.4,
    roll: pose.roll * 0.6,
    shiftX: pose.shiftX * 0.9,
    sway: 0,
    zoom: 1 + (pose.zoom - 1) * 1.1,
    light: 0,
  };
}
