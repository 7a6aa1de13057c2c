import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PROGRAMS = {
  backup: fileURLToPath(new URL('../../src/backup.ts', import.meta.url)),
  restore: fileURLToPath(new URL('../../src/restore.ts', import.meta.url)),
}

/** A command that has ended. */
export interface Ended {
  /** Null if it was killed. */
  code: number | null
  output: string
  errors: string
}

/** Runs a command as operators do. */
export function runCommand(
  name: keyof typeof PROGRAMS,
  settings: Record<string, string>,
  args: readonly string[],
): Promise<Ended> {
  return outcomeOf(start(name, settings, args))
}

/** Kills a command after this time, unless it has ended before. */
export async function killCommand(
  name: keyof typeof PROGRAMS,
  settings: Record<string, string>,
  { args, afterMs }: { args: readonly string[]; afterMs: number },
): Promise<Ended> {
  const child = start(name, settings, args)
  const ended = outcomeOf(child)
  await Promise.race([ended, delay(afterMs, undefined, { ref: false })])
  child.kill('SIGKILL')
  return ended
}

function start(name: keyof typeof PROGRAMS, settings: Record<string, string>, args: readonly string[]) {
  const { PATH = '', HOME = '/' } = process.env
  return spawn(process.execPath, [PROGRAMS[name], ...args], {
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function outcomeOf(child: ChildProcess): Promise<Ended> {
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the command has no output')
  const [output, errors, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'close')])
  return { code, output, errors }
}
