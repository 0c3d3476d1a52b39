// The figures that are measured of a launch. How they are measured differs between systems.

/** What the processes of a launch use. */
export interface Usage {
  /** Of the agent and all it started; not shim, drains and the init of its namespace. */
  readonly processes: number;
  /** Private resident memory: what would be free without them. Memory shared between them is not counted. */
  readonly memoryBytes: number;
  /** Processor time of the living and of the dead they waited for. */
  readonly cpuMs: number;
}
