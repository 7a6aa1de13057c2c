import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Smaller files are not worth compressing. */
const MIN_BYTES = 1000
const COMPRESSIBLE = /\.(css|html|js|json|svg|wasm|webmanifest)$/

/** Writes compressed copies of text files and WebAssembly, so that the server need not compress them for each request. */
export function compressed() {
  let folder = ''
  return {
    name: 'foyer-compressed',
    apply: 'build',
    configResolved({ root, build }: { root: string; build: { outDir: string } }) {
      folder = resolve(root, build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      await Promise.all(
        names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(folder, name))),
      )
    },
  } as const
}

async function compress(path: string): Promise<void> {
  const text = await readFile(path)
  if (text.length < MIN_BYTES) return
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(text),
    promisify(gzip)(text, { level: 9 }),
  ])
  await writeFile(`${path}.br`, brotli)
  await writeFile(`${path}.gz`, gzipped)
}
