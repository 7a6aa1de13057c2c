// Program for tests to kill. Writes half of a file to a folder store, prints `half`, and waits.
import { PassThrough } from 'node:stream'
import { FolderStore } from '#src/kernel/storage/folder-store.ts'
import { SECRET_KEY } from './store-kinds.ts'

const [folder = '', key = ''] = process.argv.slice(2)
const store = new FolderStore({ folder, secretKey: SECRET_KEY })
const body = new PassThrough()
store.receive(key, 200_000, body)
body.write(Buffer.alloc(100_000), () => process.stdout.write('half\n'))
setInterval(() => {}, 1000)
