import { type EmbeddedPostgres, launchPostgres } from '../../apps/server/src/postgres/launch.ts'
import { startValkey, type TestValkey } from '../../apps/server/test/valkey/valkey.ts'
import { makeDataDir, type ServerProcess, startProcess } from './foyer.ts'

/** Several processes of one installation, joined by a Valkey. */
export interface Joined {
  dataDir: string
  /** Environment variables that all processes share. */
  settings: Record<string, string>
  /** In the order of the requested services. */
  processes: ServerProcess[]
  postgres: EmbeddedPostgres
  valkey: TestValkey
}

/**
 * Runs `work` on an installation of its own, with durable commits, and removes everything afterwards.
 * @param services the setting SERVICES of each process, like `api,jobs`
 */
export async function withJoined<Result>(
  services: readonly string[],
  work: (joined: Joined) => Promise<Result>,
): Promise<Result> {
  const dataDir = await makeDataDir()
  const valkey = await startValkey()
  const postgres = await launchPostgres({ dataDir: dataDir.path, log: () => undefined })
  const settings = { ...settingsOf(postgres, valkey), LINK_PREVIEWS: 'off' }
  const processes: ServerProcess[] = []
  try {
    for (const own of services)
      processes.push(await startProcess({ dataDir: dataDir.path, settings: { ...settings, SERVICES: own } }))
    return await work({ dataDir: dataDir.path, settings, processes, postgres, valkey })
  } finally {
    await Promise.all(processes.map((each) => each.stop()))
    await postgres.stop()
    await valkey.close()
    await dataDir.remove()
  }
}

function settingsOf({ connection }: EmbeddedPostgres, { url }: TestValkey): Record<string, string> {
  const { host, port, user, database } = connection
  return {
    DATABASE_URL: `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    VALKEY_URL: url,
    SECRET_KEY: 'only-for-benchmarks-'.repeat(4),
  }
}
