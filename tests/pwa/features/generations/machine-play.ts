import {
  type Effect,
  type FollowPolicy,
  initialState,
  type MachineEvent,
  type MachineState,
  type Outcome,
  type Seed,
} from '#pwa/features/generations/followed-generation.ts';
import { advance } from '#pwa/features/generations/generation-machine.ts';
import { PATIENT_POLLING, steadyPolling } from '#pwa/features/generations/generation-tool.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { GenerationFailureCode, GenerationStatus } from '#shared/rules/generation-lifecycle.ts';
import { GENERATION_FAILURES } from '#shared/rules/generation-lifecycle.ts';

export const START = Date.parse('2026-11-21T12:00:00Z');
export const MINUTE_MS = 60_000;

/** The subject of the tests' generations. */
export type Subject = string;
type View = Extract<GenerationView, { kind: 'photosession' }>;
export type Event = MachineEvent<Subject, View>;

const common = {
  restoreMs: 120 * MINUTE_MS,
  unansweredText: 'Ошибка опроса статуса',
  subjectOf: ({ id }: View) => `по ответу ${id}`,
};
/** The policy of videos, and the one of tools that make pictures. */
export const PATIENT: FollowPolicy<Subject, View> = {
  ...{ ...PATIENT_POLLING, ...common, whenLost: 'show', whenItRunsOn: 'follow', joinsLater: true },
};
export const STEADY: FollowPolicy<Subject, View> = {
  ...{ ...steadyPolling(3000), ...common, whenLost: 'release', whenItRunsOn: 'release', joinsLater: false },
};

export interface Told {
  id: string;
  status: GenerationStatus;
  failureCode?: GenerationFailureCode;
  /** Files that are ready. */
  files?: number;
}

/** The server's answer about a generation. */
export function viewOf({
  id,
  status,
  failureCode = 'engine_error',
  files = status === 'completed' ? 1 : 0,
}: Told): View {
  return {
    ...{ id, kind: 'photosession', made: 'photosession', status, photos: [], settings: {}, starsSpent: 1 },
    ...{ positions: [0, 1, 2, 3, 4], reroll: 'not_offered', rerollOf: null, rerolledBy: null },
    createdAt: new Date(START).toISOString(),
    progress: {
      share: 0.5,
      startedAt: new Date(START).toISOString(),
      finishedAt: null,
      expectedSeconds: null,
      isRemote: false,
    },
    failure: status === 'failed' ? { code: failureCode, message: GENERATION_FAILURES[failureCode] } : null,
    results: Array.from({ length: files }, (_, position) => ({
      ...{ id: `${id}-${position}`, position, url: '/u', previewUrl: '/p', isWatermarked: false },
      ...{ width: 300, height: 400, durationSeconds: null, garmentCheck: null, report: null },
    })),
  };
}

export function seedOf(generationId: string, more: Partial<Seed<Subject>> = {}): Seed<Subject> {
  return { generationId, subject: 'по устройству', startedAt: START, ...more };
}

/** A page that has read an empty record. */
export function play(policy: FollowPolicy<Subject, View> = PATIENT) {
  let state: MachineState<Subject, View> = initialState(true);
  const effects: Effect<Subject, View>[] = [];
  let at = START;
  const send = (event: Event) => {
    const transition = advance(policy, state, event);
    state = transition.state;
    effects.push(...transition.effects);
  };
  return {
    send,
    get state() {
      return state;
    },
    get followed() {
      return state.followed;
    },
    get effects() {
      return effects;
    },
    get now() {
      return at;
    },
    /** The announcements in order. */
    get told(): Outcome[] {
      return effects.flatMap((effect) => (effect.type === 'tell' ? [effect.outcome] : []));
    },
    get toldKinds(): string[] {
      return effects.flatMap((effect) => (effect.type === 'tell' ? [effect.outcome.kind] : []));
    },
    pass(ms: number) {
      at += ms;
    },
    open(saved: Seed<Subject> | null = null) {
      send({ type: 'restored', at, saved });
    },
    start(id: string) {
      send({ type: 'start_sent' });
      send({ type: 'follow', at, seed: seedOf(id, { startedAt: at }), origin: 'start' });
    },
    link(id: string) {
      send({ type: 'follow', at, seed: seedOf(id, { startedAt: null, subject: 'неизвестно' }), origin: 'link' });
    },
    list(id: string | null) {
      send({ type: 'listed', at, running: id === null ? null : seedOf(id, { subject: 'по списку' }) });
    },
    answer(id: string, status: GenerationStatus, more: Partial<Told> = {}) {
      send({ type: 'asked', id });
      send({ type: 'answered', at, view: viewOf({ id, status, ...more }), startedAt: START });
    },
    fail(
      id: string,
      kind: 'network' | 'unavailable' | 'server' | 'signed_out' | 'lost' = 'network',
      words: string | null = null,
    ) {
      send({ type: 'asked', id });
      send({ type: 'unanswered', at, id, failure: { kind, message: words } });
    },
    nudge(id: string | null) {
      send({ type: 'nudged', at, id });
    },
  };
}
