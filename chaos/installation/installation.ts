import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startValkey, type TestValkey } from '../../apps/server/test/valkey/valkey.ts'
import { FrontDoor } from './front-door.ts'
import { Postgres } from './postgres.ts'
import { ServerProcess } from './server-process.ts'

/** Everything that a run breaks and repairs. */
export interface Installation {
  /** The address for clients. */
  url: string
  processes: readonly ServerProcess[]
  postgres: Postgres
  valkey: TestValkey
  close(): Promise<void>
}

export interface InstallationOptions {
  processes: number
  /** Folder for data and logs. */
  folder: string
  logLevel: string
}

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { folder } = options
  await using opened = new AsyncDisposableStack()
  await mkdir(join(folder, 'data'), { recursive: true })
  const log: WriteStream = createWriteStream(join(folder, 'postgres.log'), { flags: 'a' })
  opened.defer(() => void log.end())
  const postgres = new Postgres(join(folder, 'database'), (line) => log.write(`${line}\n`))
  opened.defer(() => postgres.stop())
  await postgres.start()
  const valkey = await startValkey()
  opened.defer(() => valkey.close())
  const processes = await openProcesses(options, postgres, valkey)
  for (const each of processes) opened.defer(() => each.close())
  const door = await FrontDoor.open(processes)
  opened.defer(() => door.close())
  // The first process creates the tables. The other processes would only wait for it.
  await processes[0]?.start()
  await Promise.all(processes.slice(1).map((each) => each.start()))
  const open = opened.move()
  return { url: door.url, processes, postgres, valkey, close: () => open.disposeAsync() }
}

function openProcesses(
  { processes, folder, logLevel }: InstallationOptions,
  postgres: Postgres,
  valkey: TestValkey,
): Promise<ServerProcess[]> {
  const surroundings = {
    folder,
    logLevel,
    valkeyPort: Number(new URL(valkey.url).port),
    postgresSocket: () => postgres.socket,
  }
  const names = Array.from({ length: processes }, (_, index) => `process-${index + 1}`)
  return Promise.all(names.map((name) => ServerProcess.open(name, surroundings)))
}
