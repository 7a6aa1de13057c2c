// Program that tests run on a tiny disk. Prints the faults that a folder store reports for files that do not fit.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { objectRoutes } from '#src/files/attachments/object-routes.ts'
import { FolderStore } from '#src/kernel/storage/folder-store.ts'
import { StoreError } from '#src/kernel/storage/object-store.ts'
import { startKernel } from '#test/kernel.ts'
import { newKey } from './objects.ts'
import { SECRET_KEY } from './store-kinds.ts'

const [folder = '', elsewhere = ''] = process.argv.slice(2)
const store = new FolderStore({ folder, secretKey: SECRET_KEY })
const bytes = Buffer.alloc(4_000_000, 1)
await mkdir(elsewhere, { recursive: true })
const path = join(elsewhere, 'file')
await writeFile(path, bytes)
const faults = await Promise.all([
  store.put(newKey(), { path, sizeBytes: bytes.length }).catch(faultOf),
  store.receive(newKey(), bytes.length, Readable.from([bytes])).catch(faultOf),
])
const kernel = await startKernel((app) => objectRoutes(app, { own: store, isAwaited: async () => true }))
const announced = { sizeBytes: bytes.length, contentType: 'video/mp4' }
const { url, method, headers } = await store.presignUpload(newKey(), announced, 60)
const { status } = await kernel.fetch(url, { method, headers, body: bytes })
await kernel.app.close()
const left = await readdir(folder, { recursive: true, withFileTypes: true })
const files = left.filter((entry) => entry.isFile()).length
await store.receive(newKey(), 3, Readable.from([Buffer.from('fit')]))
process.stdout.write(JSON.stringify({ faults, status, files }))

function faultOf(error: unknown): unknown {
  return error instanceof StoreError ? error.fault : String(error)
}
