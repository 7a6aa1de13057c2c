export interface PresenceTimes {
  /** Users who return within this time never appear offline. */
  readonly graceMs: number
  /** Time between checks for graces that end. */
  readonly sweepMs: number
  /** Time between the heartbeats of a process. */
  readonly upkeepMs: number
  /** Time that a process's presences outlive its last heartbeat. By then its users have reconnected elsewhere, or are gone. */
  readonly lifeMs: number
  /** Time after an outage of Valkey in which every process writes its choices again, if Valkey lost them. */
  readonly doubtMs: number
}

export const PRESENCE_TIMES: PresenceTimes = {
  graceMs: 10_000,
  sweepMs: 500,
  upkeepMs: 2500,
  lifeMs: 10_000,
  doubtMs: 10_000,
}
