import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '#src/kernel/metrics.ts'

/** Metrics of scheduled backups, in the processes that make them. */
export interface BackupMeter {
  /** Time of the newest backup; undefined without one. */
  newest(time: Date | undefined): void
  ended(outcome: 'made' | 'failed'): void
}

export function meterBackups({ registry }: Metrics): BackupMeter {
  const registers = [registry]
  const age = new Gauge({
    name: 'foyer_backup_last_success_seconds',
    help: 'Time of the newest backup, in seconds since 1970; 0 without one',
    registers,
  })
  const runs = new Counter({
    name: 'foyer_backups_total',
    help: 'Scheduled backups of this process, by result: made or failed',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of ['made', 'failed']) runs.inc({ outcome }, 0)
  return {
    newest: (time) => age.set((time?.getTime() ?? 0) / 1000),
    ended: (outcome) => runs.inc({ outcome }),
  }
}
