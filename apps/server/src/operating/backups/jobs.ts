import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { type BackupFacts, takeFacts } from './facts.ts'
import { type BackupMeter, meterBackups } from './meter.ts'
import { BACK_UP_NOW, beginRun, endRun, failRun, noteFiles } from './runs.ts'
import { isDue, newestBackup, pauseAfter } from './schedule.ts'

const PROGRAM = fileURLToPath(new URL('../../backup.ts', import.meta.url))
/** Interval of the checks for a due backup. A new server gets its first backup within this time. */
const EVERY_MINUTES = 10
/** Queue in which backups run one after the other. */
export const BACKUP_QUEUE = 'back_up'

export interface BackupJobsDeps {
  config: Config
  database: Pick<Database, 'execute'>
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  metrics: Metrics
}

/** Makes backups if BACKUP_TO is set. Several processes share a queue: a run that finds the backup already made ends. */
export function backupJobs(deps: BackupJobsDeps): JobTable {
  if (deps.config.backup.to === undefined) return { handlers: {}, schedule: [] }
  const meter = meterBackups(deps.metrics)
  const failures: Failures = { count: 0, pauseEndsAt: 0 }
  const backUp = (isScheduled: boolean, signal?: AbortSignal) =>
    backUpIfDue(deps, { meter, failures, isScheduled }, signal)
  return {
    handlers: {
      back_up: (_payload, context) => backUp(true, context?.abortSignal),
      [BACK_UP_NOW]: (_payload, context) => backUp(false, context?.abortSignal),
    },
    schedule: [`*/${EVERY_MINUTES} * * * * back_up ?queue=${BACKUP_QUEUE}&jobKey=back_up&max=1`],
  }
}

/** Failed backups of this process since the last successful one. */
interface Failures {
  count: number
  pauseEndsAt: number
}

interface Turn {
  meter: BackupMeter
  failures: Failures
  /** False if an operator requested the backup: the schedule does not apply. */
  isScheduled: boolean
}

/**
 * Makes a backup, if an operator requested it or the schedule says so. Failures are logged, not thrown: a later scheduled
 * run tries again. A backup that an operator requested starts over if the server stopped.
 */
async function backUpIfDue(
  deps: BackupJobsDeps,
  { meter, failures, isScheduled }: Turn,
  signal?: AbortSignal,
): Promise<void> {
  const { config, log } = deps
  if (isScheduled && Date.now() < failures.pauseEndsAt) return
  try {
    const newest = await newestBackup(config)
    meter.newest(newest)
    if (isScheduled && !isDue(config, newest, Date.now())) return
    await backUp(deps, isScheduled, signal)
    meter.ended('made')
    failures.count = 0
    meter.newest(await newestBackup(config))
  } catch (error) {
    meter.ended('failed')
    failures.count += 1
    failures.pauseEndsAt = Date.now() + pauseAfter(config, failures.count)
    await note(deps, failRun(deps.database, isScheduled, wordsOf(error)))
    log.error({ why: wordsOf(error) }, 'the backup failed')
    // Thrown, so that the queue gives the job to the next process.
    if (!isScheduled && signal?.aborted) throw error
  }
}

/** Makes a backup, and notes its progress for the operators. */
async function backUp(deps: BackupJobsDeps, isScheduled: boolean, signal?: AbortSignal): Promise<void> {
  const { database, log } = deps
  await beginRun(database, isScheduled)
  const onFiles = () => void note(deps, noteFiles(database))
  const { lines, warnings, facts } = await runProgram(onFiles, signal)
  for (const warning of warnings) log.warn({ backup: warning }, 'a backup has a warning')
  log.info({ backup: lines }, 'a backup was made')
  await note(deps, endRun(database, facts))
}

/** Waits until a state is stored. A failure is only logged, because the backup does not need the state. */
async function note({ log }: BackupJobsDeps, noted: Promise<void>): Promise<void> {
  await noted.catch((error: unknown) => log.warn({ err: error }, 'the state of a backup could not be noted'))
}

interface ProgramResult {
  lines: string[]
  warnings: string[]
  facts: BackupFacts
}

/** Line that the program prints after copying the database and before copying the files. */
const DATABASE_DONE = 'database: '

/**
 * Runs a backup as a process of low priority, so that requests do not wait for it. The child ends with this process,
 * because its stdin closes.
 * @param onFiles called once the database is copied
 * @throws Error with the program's last line that is not progress, or with the cause of the exit
 */
async function runProgram(onFiles: () => void, signal?: AbortSignal): Promise<ProgramResult> {
  const child = spawn(process.execPath, [PROGRAM, '--scheduled'], { stdio: 'pipe' })
  // The child may have ended already.
  child.stdin.on('error', () => undefined)
  if (child.pid !== undefined) lowerPriority(child.pid)
  const end = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const printed: string[] = []
    createInterface(child.stderr).on('line', (line) => {
      if (line !== '') printed.push(line)
      if (line.startsWith(DATABASE_DONE)) onFiles()
    })
    const [output, [code, killedBy]] = await Promise.all([text(child.stdout), once(child, 'close')])
    if (killedBy !== null)
      throw new Error(signal?.aborted ? 'the server stopped' : `it was ended by ${killedBy}`)
    if (code !== 0) throw new Error(lastCause(printed) ?? `it ended with ${code}`)
    const { facts, rest } = takeFacts(linesOf(output))
    return { facts, lines: rest, warnings: printed.filter((line) => line.startsWith('warning: ')) }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Ignores progress and warnings, which do not explain the exit. */
function lastCause(printed: readonly string[]): string | undefined {
  return printed.findLast((line) => !/^(?:warning|database|files): /.test(line))
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The child has ended, or the system does not allow it.
  }
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line !== '')
}
