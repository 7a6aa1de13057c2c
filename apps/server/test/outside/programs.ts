import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Returns a reason to skip a test, which names the first missing program; false if none is missing, or with CI=true. */
export function withoutPrograms(...programs: readonly string[]): string | false {
  const missing = programs.find((program) => spawnSync(program, ['-version']).error !== undefined)
  return (
    missing !== undefined && process.env.CI !== 'true' && `${missing} is not installed (Debian: ${missing})`
  )
}

/** Runs a program to its end without blocking, so that a server in this process can answer its requests. */
export async function runProgram(
  program: string,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<Ended> {
  const child = spawn(program, args, { stdio: 'pipe' })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)])
  return { status, stdout, stderr }
}

async function ended(child: ChildProcess): Promise<number | null> {
  await once(child, 'close')
  return child.exitCode
}
