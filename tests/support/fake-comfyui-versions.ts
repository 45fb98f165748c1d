/** In what the versions of ComfyUI differ that the fake plays, as they were seen on the real servers. */
export const VERSIONS = {
  '0.3.29': {
    ids: 'own',
    hasJobsApi: false,
    interruptsById: false,
    sumsProgress: false,
    namesMissingNodes: false,
    nestsCodec: false,
  },
  '0.3.77': {
    ids: 'any',
    hasJobsApi: false,
    interruptsById: true,
    sumsProgress: true,
    namesMissingNodes: false,
    nestsCodec: false,
  },
  '0.8.0': {
    ids: 'any',
    hasJobsApi: true,
    interruptsById: true,
    sumsProgress: true,
    namesMissingNodes: false,
    nestsCodec: false,
  },
  '0.26.0': {
    ids: 'uuids',
    hasJobsApi: true,
    interruptsById: true,
    sumsProgress: true,
    namesMissingNodes: true,
    nestsCodec: true,
  },
} as const satisfies Record<string, VersionFacts>;

interface VersionFacts {
  /** The ids of jobs: the server's own, any that the client gives, or only UUIDs of the client. */
  ids: 'own' | 'any' | 'uuids';
  hasJobsApi: boolean;
  /** Otherwise it interrupts whatever runs. */
  interruptsById: boolean;
  /** Tells the progress of all nodes together. */
  sumsProgress: boolean;
  /** An unknown node is `missing_node_type`, otherwise `invalid_prompt`. */
  namesMissingNodes: boolean;
  /** The codec of SaveVideo belongs to its format. */
  nestsCodec: boolean;
}

export type ComfyuiVersion = keyof typeof VERSIONS;
export const COMFYUI_VERSIONS = Object.keys(VERSIONS) as ComfyuiVersion[];
