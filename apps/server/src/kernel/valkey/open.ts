import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import { Macs } from '#src/kernel/macs.ts'
import type { Valkey } from './valkey.ts'

const PREFIX_LENGTH = 12

/**
 * The Valkey of the configuration, if there is one. Processes with the same SECRET_KEY are one installation: what they
 * keep there is named after it.
 */
export async function openValkey(
  { valkeyUrl }: Config,
  secretKey: string,
  log: Logger,
): Promise<Valkey | undefined> {
  if (valkeyUrl === undefined) return undefined
  // Not loaded by those who are alone: it would be 30 ms of every start.
  const { Valkey } = await import('./valkey.ts')
  const prefix = `foyer:${new Macs(secretKey, 'foyer valkey names').of('').slice(0, PREFIX_LENGTH)}`
  const valkey = new Valkey({
    url: valkeyUrl,
    prefix,
    onError: (error) => log.debug({ reason: reasonOf(error) }, 'a connection to Valkey failed'),
    // Not the error itself: it has the command, and in its keys addresses of people.
    onAway: (error) =>
      log.warn({ reason: reasonOf(error) }, 'Valkey is away: each process counts limits for itself'),
    onBack: () => log.info('Valkey is back: limits are counted over all processes'),
  })
  await valkey.known
  return valkey
}

function reasonOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined
}
