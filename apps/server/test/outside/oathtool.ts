import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const PROGRAM = 'oathtool'
const run = promisify(execFile)

const isInstalled = spawnSync(PROGRAM, ['--version']).status === 0
/** Reason to skip tests that need oathtool, or false. With CI set, they fail instead of being skipped. */
export const noOathtool =
  !isInstalled && process.env.CI === undefined ? `${PROGRAM} is not installed (Debian: ${PROGRAM})` : false

/** Returns the codes that an independent authenticator makes for a secret in base 32, beginning with the one at `seconds`. */
export async function oathtoolCodes(secret: string, seconds: number, count: number): Promise<string[]> {
  const options = ['--totp', '--base32', '--now', `@${seconds}`, '--window', String(count - 1), secret]
  return (await run(PROGRAM, options)).stdout.trim().split('\n')
}
