import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

/** Larger libraries and WebAssembly are not precached, since few sessions need them. They are cached after first use. */
const LARGE_BYTES = 200_000

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * Builds the service worker as /worker.js, without a hash, because browsers identify it by its URL. The list of files of
 * this build is compiled into it.
 * @param entry path below the root of the client
 */
export function serviceWorker(entry: string): Plugin {
  return {
    name: 'foyer:service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const source = await buildWorker(entry, shellOf(bundle))
        this.emitFile({ type: 'asset', fileName: 'worker.js', source })
      },
    },
  }
}

type Part = Rolldown.OutputAsset | Rolldown.OutputChunk

interface Shell {
  entry: string
  files: string[]
  large: string[]
}

function shellOf(bundle: Rolldown.OutputBundle): Shell {
  const parts = Object.values(bundle).filter(({ fileName }) => fileName.startsWith('assets/'))
  const entry = parts.find((part) => part.type === 'chunk' && part.isEntry)
  if (entry?.type !== 'chunk') throw new Error('the build has no entry')
  const pathOf = ({ fileName }: { fileName: string }) => `/${fileName}`
  // Not precached: the manifest, needed only for installing the app, and the page of the sound frame, needed only for voice.
  // Both require a network connection anyway.
  const own = readdirSync(new URL('public', import.meta.url)).filter(
    (name) => !/\.(webmanifest|html)$/.test(name),
  )
  return {
    entry: pathOf(entry),
    files: [
      '/',
      ...own.map((name) => `/${name}`),
      ...parts.filter((part) => !isLarge(part)).map(pathOf),
    ].sort(),
    large: parts.filter(isLarge).map(pathOf).sort(),
  }
}

function isLarge(part: Part): boolean {
  if (part.fileName.endsWith('.wasm')) return true
  if (part.type !== 'chunk' || part.code.length < LARGE_BYTES) return false
  return part.facadeModuleId?.includes('/node_modules/') === true
}

async function buildWorker(entry: string, shell: Shell): Promise<string> {
  const output = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    define: { SHELL: JSON.stringify(shell) },
    build: {
      write: false,
      copyPublicDir: false,
      // Some supported browsers lack module workers.
      lib: { entry, formats: ['iife'], name: 'worker', fileName: () => 'worker.js' },
    },
  })
  const [made] = Array.isArray(output) ? output : []
  const [chunk] = made?.output ?? []
  if (chunk === undefined) throw new Error('the worker was not built')
  return chunk.code
}
