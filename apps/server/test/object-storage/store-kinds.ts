import { mkdtemp, rm } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch, type RequestInit, type Response } from 'undici'
import type { S3Settings } from '#src/config.ts'
import { objectRoutes } from '#src/files/attachments/object-routes.ts'
import { Outgoing } from '#src/kernel/outgoing/outgoing.ts'
import { FolderStore } from '#src/kernel/storage/folder-store.ts'
import type { ObjectStore } from '#src/kernel/storage/object-store.ts'
import { S3Store } from '#src/kernel/storage/s3-store.ts'
import { startKernel } from '#test/kernel.ts'
import { S3_HOST } from './ceph-config.ts'
import { startFakeS3 } from './fake-s3.ts'
import { makeBucket, whyNoS3 } from './real-s3.ts'

export interface OpenStore {
  store: ObjectStore
  /** Requests a signed URL as a browser would. */
  fetch(url: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

export interface StoreKind {
  name: string
  /** Reason why the store cannot be tested here, or false. */
  skip: string | false
  open(): Promise<OpenStore>
}

export const SECRET_KEY = 'a secret key of thirty-two bytes or more'

/** Lists all stores, with every server they work with and both ways to address a bucket. */
export function listStoreKinds(): StoreKind[] {
  const skip = whyNoS3()
  return [
    { name: 'a folder', skip: false, open: openFolder },
    { name: 'the fake, path-style', skip: false, open: () => openFake(true) },
    { name: 'the fake, virtual-hosted', skip: false, open: () => openFake(false) },
    { name: 'radosgw, path-style', skip, open: () => openReal(true) },
    { name: 'radosgw, virtual-hosted', skip, open: () => openReal(false) },
  ]
}

/** Returns a client for requests to the test servers. It resolves every name to this machine. */
export function openDoor(): Outgoing {
  return new Outgoing({
    allowedPrivateHosts: ['127.0.0.1', `*.${S3_HOST}`],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  })
}

async function openFolder(): Promise<OpenStore> {
  const folder = await mkdtemp(join(tmpdir(), 'foyer-test-store-'))
  const store = new FolderStore({ folder, secretKey: SECRET_KEY })
  const kernel = await startKernel((app) => objectRoutes(app, { own: store, isAwaited: async () => true }))
  const agent = new Agent()
  return {
    store,
    fetch: (url, init) => fetch(`${kernel.url}${url}`, { ...init, dispatcher: agent }),
    async close() {
      await agent.close()
      await kernel.app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openFake(usePathStyle: boolean): Promise<OpenStore> {
  const fake = await startFakeS3()
  return openS3(fake.settings(usePathStyle), () => fake.close())
}

async function openReal(usePathStyle: boolean): Promise<OpenStore> {
  return openS3(await makeBucket(usePathStyle), async () => {})
}

function openS3(settings: S3Settings, closeServer: () => Promise<void>): OpenStore {
  const outgoing = openDoor()
  const agent = new Agent({ connect: { lookup: thisMachine } })
  return {
    store: new S3Store(settings, outgoing),
    fetch: (url, init) => fetch(url, { ...init, dispatcher: agent }),
    async close() {
      await agent.destroy()
      await outgoing.close()
      await closeServer()
    },
  }
}

const thisMachine: LookupFunction = (_host, { all }, callback) => {
  const [address, family] = ['127.0.0.1', 4]
  if (all === true) callback(null, [{ address, family }])
  else callback(null, address, family)
}
