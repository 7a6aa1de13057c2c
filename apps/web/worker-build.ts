import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

/** Libraries beyond it are fetched by themselves, by few in a session; they are kept once somebody has used them. */
const LARGE_BYTES = 200_000

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * Builds the service worker to /worker.js, without a hash: its address is what browsers know it by. It is told the files of the
 * build that it belongs to.
 * @param entry below the root of the client
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
  // Browsers ask for the manifest when they install the app, which takes a network.
  const own = readdirSync(new URL('public', import.meta.url)).filter((name) => !name.endsWith('.webmanifest'))
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
      // Modules as workers are too new for some browsers.
      lib: { entry, formats: ['iife'], name: 'worker', fileName: () => 'worker.js' },
    },
  })
  const [made] = Array.isArray(output) ? output : []
  const [chunk] = made?.output ?? []
  if (chunk === undefined) throw new Error('the worker was not built')
  return chunk.code
}
