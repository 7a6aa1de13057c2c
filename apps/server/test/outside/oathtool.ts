import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const PROGRAM = 'oathtool'
const run = promisify(execFile)

const isInstalled = spawnSync(PROGRAM, ['--version']).status === 0
/** The reason to skip a test that needs the program. With CI set, the test fails instead. */
export const noOathtool =
  !isInstalled && process.env.CI === undefined ? `${PROGRAM} is not installed (Debian: ${PROGRAM})` : false

/** Returns the codes that an independent authenticator makes for a secret in base 32, from this time on. */
export async function oathtoolCodes(secret: string, seconds: number, count: number): Promise<string[]> {
  const options = ['--totp', '--base32', '--now', `@${seconds}`, '--window', String(count - 1), secret]
  return (await run(PROGRAM, options)).stdout.trim().split('\n')
}
