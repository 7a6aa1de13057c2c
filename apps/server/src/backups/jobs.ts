import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { type BackupMeter, meterBackups } from './meter.ts'
import { isDue, newestBackup, pauseAfter } from './schedule.ts'

const PROGRAM = fileURLToPath(new URL('../backup.ts', import.meta.url))
/** The first backup of a server is made within this many minutes of its start. */
const EVERY_MINUTES = 10

export interface BackupJobsDeps {
  config: Config
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  metrics: Metrics
}

/** Makes backups if BACKUP_TO is set. Of several processes, one makes each: runs wait in a queue, and find it done. */
export function backupJobs(deps: BackupJobsDeps): JobTable {
  if (deps.config.backup.to === undefined) return { handlers: {}, schedule: [] }
  const meter = meterBackups(deps.metrics)
  const failures: Failures = { count: 0, pauseEndsAt: 0 }
  return {
    handlers: {
      back_up: (_payload, context) => backUpIfDue(deps, { meter, failures }, context?.abortSignal),
    },
    schedule: [`*/${EVERY_MINUTES} * * * * back_up ?queue=back_up&jobKey=back_up&max=1`],
  }
}

/** Failed backups of this process since the last one that was made. */
interface Failures {
  count: number
  pauseEndsAt: number
}

/** Failures are logged, not thrown: a later run of the schedule tries again. */
async function backUpIfDue(
  deps: BackupJobsDeps,
  { meter, failures }: { meter: BackupMeter; failures: Failures },
  signal?: AbortSignal,
): Promise<void> {
  const { config, log } = deps
  if (Date.now() < failures.pauseEndsAt) return
  try {
    const newest = await newestBackup(config)
    meter.newest(newest)
    if (!isDue(config, newest, Date.now())) return
    const { lines, warnings } = await runProgram(signal)
    for (const warning of warnings) log.warn({ backup: warning }, 'a backup has a warning')
    log.info({ backup: lines }, 'a backup was made')
    meter.ended('made')
    failures.count = 0
    meter.newest(await newestBackup(config))
  } catch (error) {
    meter.ended('failed')
    failures.count += 1
    failures.pauseEndsAt = Date.now() + pauseAfter(config, failures.count)
    log.error({ why: wordsOf(error) }, 'the backup failed')
  }
}

/**
 * Runs a backup as a process of low priority, so that nobody waits for its work. It ends with this process, and holds the
 * other end of its input for that.
 * @throws Error with its last line if it fails
 */
async function runProgram(signal?: AbortSignal): Promise<{ lines: string[]; warnings: string[] }> {
  const child = spawn(process.execPath, [PROGRAM, '--scheduled'], { stdio: 'pipe' })
  // It may have ended already.
  child.stdin.on('error', () => undefined)
  if (child.pid !== undefined) lowerPriority(child.pid)
  const end = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', end)
  try {
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    const [lines, said] = [linesOf(output), linesOf(errors)]
    if (code !== 0) throw new Error(said.at(-1) ?? `it ended with ${code}`)
    return { lines, warnings: said.filter((line) => line.startsWith('warning: ')) }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or the system does not allow it.
  }
}

function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line !== '')
}
