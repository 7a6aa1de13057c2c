import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { SpaceImport } from '@foyer/protocol/space-imports'
import { SpaceArchives } from '@foyer/sdk/api/space-archives'
import { ZipFile } from 'yazl'
import { newId } from '#src/kernel/ids.ts'
import {
  type ArchivedMessage,
  type ArchivedRoom,
  type ArchivedSpace,
  FORMAT,
  FORMAT_VERSION,
  MANIFEST_NAME,
  messagesName,
  SPACE_NAME,
} from '#src/space-archives/format.ts'
import { TEST_PASSWORD, type TestServer } from '../server.ts'
import { until } from '../until.ts'
import { type Owner, type Unpacked, unpack } from './exports.ts'
import type { Person } from './people.ts'

/** The entries of an archive, by name. */
export type Entries = ReadonlyMap<string, Buffer | string>

export const archivesOf = ({ client }: Pick<Person, 'client'>) => client.api(SpaceArchives)

/** Requests an export of the space, waits for it, and returns the archive. */
export async function exportSpace(
  server: TestServer,
  owner: Pick<Owner, 'client'>,
  spaceId: string,
): Promise<Buffer> {
  const archives = archivesOf(owner)
  const { id } = await archives.export(spaceId, { password: TEST_PASSWORD })
  await until(async () => (await archives.listExports(spaceId))[0]?.state === 'ready', 'the export is ready')
  const { url } = await archives.download(spaceId, id)
  return Buffer.from(await (await server.fetch(url)).arrayBuffer())
}

export async function unpackSpace(archive: Buffer): Promise<{ files: Unpacked; space: ArchivedSpace }> {
  const files = await unpack(archive)
  return { files, space: JSON.parse(`${files.get(SPACE_NAME)}`) }
}

/** Returns the archived messages of a room. */
export function messagesIn(files: Unpacked, roomId: string): ArchivedMessage[] {
  const lines = `${files.get(messagesName(roomId, 1)) ?? ''}`.split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** Uploads an archive, and waits for its import to end. */
export async function importSpace(person: Pick<Person, 'client'>, archive: Buffer): Promise<SpaceImport> {
  const archives = archivesOf(person)
  let last = await archives.import(new Blob([new Uint8Array(archive)]))
  await until(async () => {
    last = await archives.getImport(last.id)
    return last.state === 'done' || last.state === 'failed'
  }, 'the import has ended')
  return last
}

/** Makes a ZIP of the entries, without checking them. */
export async function zipOf(entries: Entries): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

interface ManifestChanges {
  format?: string
  version?: number
}

/** Returns the entries with a manifest that lists them. */
export function withManifest(entries: Entries, changes: ManifestChanges = {}): Entries {
  const listed = Array.from(entries, ([name, content]) => ({
    name,
    size_bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  }))
  const none = { rooms: 0, roles: 0, automod_rules: 0, emojis: 0, stickers: 0, messages: 0, files: 0 }
  const manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    made_at: new Date().toISOString(),
    server_version: '1.0.0',
    counts: none,
    left_out: { notices: 0, files: 0, member_overwrites: 0 },
    entries: listed,
    ...changes,
  }
  return new Map([...entries, [MANIFEST_NAME, JSON.stringify(manifest)]])
}

export const ROOM_ID = '01900000-0000-7000-8000-00000000a001'
export const EVERYONE_ID = '01900000-0000-7000-8000-00000000b001'

export function archivedRoom(changes: Partial<ArchivedRoom> = {}): ArchivedRoom {
  return {
    id: ROOM_ID,
    name: 'hall',
    type: 1,
    parent_id: null,
    description: null,
    slow_mode_seconds: 0,
    retention_days: null,
    overwrites: [],
    ...changes,
  }
}

/** Returns the data of an archived space with one room. */
export function archivedSpace(changes: Partial<ArchivedSpace> = {}): ArchivedSpace {
  const color = { color_from: null, color_via: null, color_to: null }
  return {
    name: 'Old hall',
    description: null,
    locale: null,
    system_room_id: null,
    audit_log_days: null,
    retention_days: null,
    raid_sensor: false,
    raid_sensor_joins: 20,
    roles: [
      { id: EVERYONE_ID, name: '@everyone', permissions: 3, capabilities: 0, ...color, hoisted: false },
    ],
    rooms: [archivedRoom()],
    automod_rules: [],
    emojis: [],
    stickers: [],
    ...changes,
  }
}

export function archivedMessage(changes: Partial<ArchivedMessage> = {}): ArchivedMessage {
  const author = { id: newId(), name: 'Nils' }
  return { id: newId(), author, content: 'hello', created_at: '2024-05-01T10:00:00.000Z', ...changes }
}

/** Returns the entries of an archive: a space, and the messages of its room. */
export function entriesOf(
  space: unknown,
  messages: readonly unknown[] = [],
  others: Iterable<[string, Buffer | string]> = [],
): Entries {
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const told: [string, string][] = messages.length === 0 ? [] : [[messagesName(ROOM_ID, 1), lines]]
  return new Map<string, Buffer | string>([[SPACE_NAME, JSON.stringify(space)], ...told, ...others])
}
