import { buffer } from 'node:stream/consumers'
import type { Export } from '@foyer/protocol/exports'
import { Exports } from '@foyer/sdk/api/exports'
import { Client } from '@foyer/sdk/client'
import { fromBufferPromise } from 'yauzl'
import { TEST_PASSWORD, type TestServer } from '../server.ts'
import { until } from '../until.ts'
import { credentialOf, signIn } from './accounts.ts'
import type { Person } from './people.ts'

/** A person with a password. */
export interface Owner extends Pick<Person, 'id' | 'client' | 'credentials'> {
  exports: Exports
}

export async function signUpOwner(server: TestServer, username: string): Promise<Owner> {
  const tokens = await signIn(server, username)
  const client = new Client({ baseUrl: server.url, tokens })
  return { id: tokens.user.id, client, credentials: credentialOf(tokens), exports: client.api(Exports) }
}

export function orderExport({ exports }: Pick<Owner, 'exports'>): Promise<Export> {
  return exports.create({ password: TEST_PASSWORD })
}

/** Waits for the person's export to be ready or to fail. */
export async function awaitExport({ exports }: Pick<Owner, 'exports'>): Promise<Export> {
  let last: Export | undefined
  await until(async () => {
    last = (await exports.list())[0]
    return last?.state === 'ready' || last?.state === 'failed'
  }, 'the export has ended')
  if (last === undefined) throw new Error('the export is gone')
  return last
}

/** The files of an archive, by name. */
export type Unpacked = ReadonlyMap<string, Buffer>

export async function fetchExport(server: TestServer, owner: Owner, id: string): Promise<Unpacked> {
  const { url } = await owner.exports.download(id)
  const answer = await server.fetch(url)
  if (answer.status !== 200) throw new Error(`the download is ${answer.status}`)
  return unpack(Buffer.from(await answer.arrayBuffer()))
}

/** Requests an export, waits for it, and unpacks it. */
export async function takeExport(server: TestServer, owner: Owner): Promise<Unpacked> {
  await orderExport(owner)
  const { id, state } = await awaitExport(owner)
  if (state !== 'ready') throw new Error(`the export has ${state}`)
  return fetchExport(server, owner, id)
}

/** Reads a ZIP with a different library from the server's. It refuses file names that lead out of the folder. */
export async function unpack(zip: Buffer): Promise<Unpacked> {
  const files = new Map<string, Buffer>()
  const archive = await fromBufferPromise(zip, { strictFileNames: true })
  for await (const entry of archive.eachEntry())
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)))
  return files
}

export function textIn(files: Unpacked, name: string): string {
  const found = files.get(name)
  if (found === undefined) throw new Error(`${name} is not among ${[...files.keys()].join(', ')}`)
  return found.toString()
}

/** Returns the rows of a file. */
export function rowsIn(files: Unpacked, name: string): Record<string, unknown>[] {
  return JSON.parse(textIn(files, name))
}
