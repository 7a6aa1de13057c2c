import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from '../audit/findings.ts'
import type { Installation } from '../installation/installation.ts'
import type { ServerProcess } from '../installation/server-process.ts'
import type { Dice } from '../random.ts'

export interface FaultTable {
  installation: Installation
  dice: Dice
  findings: Findings
}

/** Breaks something and repairs it. */
type Fault = (table: FaultTable, process: ServerProcess) => Promise<void>

/** The affected part. Two simultaneous faults affect different parts. */
type Part = 'a process' | 'Valkey' | 'PostgreSQL'

export interface FaultKind {
  name: string
  part: Part
  run: Fault
  /** True for a fault that lasts for a minute or two, so that only long runs include it. */
  isLong?: true
}

const SLOW_BYTES_PER_SECOND = 30_000

export const faultKinds: readonly FaultKind[] = [
  { name: 'kill-process', part: 'a process', run: killProcess },
  { name: 'pause-process', part: 'a process', run: pauseProcess },
  { name: 'deploy', part: 'a process', run: deploy },
  { name: 'cut-clients', part: 'a process', run: async (_table, { clients }) => clients.cut() },
  { name: 'stall-clients', part: 'a process', run: stall(({ clients }) => clients) },
  { name: 'slow-clients', part: 'a process', run: slow(({ clients }) => clients) },
  { name: 'cut-valkey-wire', part: 'a process', run: async (_table, { toValkey }) => toValkey.wire.cut() },
  { name: 'stall-valkey-wire', part: 'a process', run: stall(({ toValkey }) => toValkey.wire) },
  { name: 'lose-valkey', part: 'a process', run: loseValkey, isLong: true },
  { name: 'slow-valkey-wire', part: 'a process', run: slow(({ toValkey }) => toValkey.wire) },
  {
    name: 'cut-postgres-wire',
    part: 'a process',
    run: async (_table, { toPostgres }) => toPostgres.wire.cut(),
  },
  { name: 'stall-postgres-wire', part: 'a process', run: stall(({ toPostgres }) => toPostgres.wire) },
  { name: 'slow-postgres-wire', part: 'a process', run: slow(({ toPostgres }) => toPostgres.wire) },
  { name: 'kill-valkey', part: 'Valkey', run: killValkey },
  { name: 'pause-valkey', part: 'Valkey', run: pauseValkey },
  {
    name: 'kill-postgres',
    part: 'PostgreSQL',
    run: ({ installation }) => installation.postgres.crash('SIGKILL'),
  },
  {
    name: 'abort-postgres',
    part: 'PostgreSQL',
    run: ({ installation }) => installation.postgres.crash('SIGQUIT'),
  },
  {
    name: 'restart-postgres',
    part: 'PostgreSQL',
    run: ({ installation }) => installation.postgres.restart(),
  },
]

async function killProcess({ dice }: FaultTable, process: ServerProcess): Promise<void> {
  await process.kill()
  await sleep(dice.between(0, 2000))
  await process.start()
}

async function pauseProcess({ dice }: FaultTable, process: ServerProcess): Promise<void> {
  process.pause()
  await sleep(dice.between(1000, 8000))
  process.proceed()
}

async function deploy({ findings }: FaultTable, process: ServerProcess): Promise<void> {
  if (!(await process.drain()))
    findings.add('stuck', 'a process did not drain in time', { name: process.name })
  await process.start()
}

function stall(wireOf: (process: ServerProcess) => ServerProcess['clients']): Fault {
  return async ({ dice }, process) => {
    wireOf(process).stall()
    await sleep(dice.between(1000, 8000))
    wireOf(process).mend()
  }
}

function slow(wireOf: (process: ServerProcess) => ServerProcess['clients']): Fault {
  return async ({ dice }, process) => {
    wireOf(process).slow(SLOW_BYTES_PER_SECOND)
    await sleep(dice.between(2000, 6000))
    wireOf(process).mend()
  }
}

async function killValkey({ installation, dice }: FaultTable): Promise<void> {
  await installation.valkey.kill()
  await sleep(dice.between(0, 5000))
  await installation.valkey.start()
}

/** Stalls a process's connections to Valkey for longer than the other processes wait for a process that sends nothing. */
async function loseValkey({ dice }: FaultTable, { toValkey }: ServerProcess): Promise<void> {
  toValkey.wire.stall()
  await sleep(dice.between(65_000, 120_000))
  toValkey.wire.mend()
}

async function pauseValkey({ installation, dice }: FaultTable): Promise<void> {
  installation.valkey.pause()
  await sleep(dice.between(1000, 8000))
  installation.valkey.resume()
}
