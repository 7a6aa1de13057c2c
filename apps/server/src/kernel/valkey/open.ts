import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import { Macs } from '#src/kernel/secrets/macs.ts'
import type { Valkey } from './valkey.ts'

const PREFIX_LENGTH = 12

/**
 * Opens the configured Valkey, if there is one. Processes with the same SECRET_KEY are one installation, and share
 * the prefix of their keys.
 */
export async function openValkey(
  { valkeyUrl }: Config,
  secretKey: string,
  log: Logger,
): Promise<Valkey | undefined> {
  if (valkeyUrl === undefined) return undefined
  // Loaded only if needed: it adds 30 ms to every start.
  const { Valkey } = await import('./valkey.ts')
  const prefix = `foyer:${new Macs(secretKey, 'foyer valkey names').of('').slice(0, PREFIX_LENGTH)}`
  const valkey = new Valkey({
    url: valkeyUrl,
    prefix,
    onError: (error) => log.debug({ reason: reasonOf(error) }, 'a connection to Valkey failed'),
    // Logs no error object: it contains the command, with addresses of users in its keys.
    onAway: (error) =>
      log.warn({ reason: reasonOf(error) }, 'Valkey is away: each process counts limits separately'),
    onBack: () => log.info('Valkey is back: limits are counted across all processes'),
  })
  await valkey.known
  return valkey
}

function reasonOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined
}
