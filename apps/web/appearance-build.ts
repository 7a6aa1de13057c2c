import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))

/**
 * Adds a small script that runs before the first paint. Modules run too late for that, and the content security policy
 * forbids inline scripts.
 * @param entry path below the root of the client
 */
export function firstScript(entry: string): Plugin {
  let made = { fileName: '', source: '' }
  return {
    name: 'foyer:first-script',
    apply: 'build',
    async buildStart() {
      const source = await buildScript(entry)
      const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
      made = { fileName: `assets/first-${hash}.js`, source }
    },
    generateBundle() {
      this.emitFile({ type: 'asset', ...made })
    },
    transformIndexHtml: () => [
      // Placed after the head elements that the script changes.
      { tag: 'script', attrs: { src: `/${made.fileName}` }, injectTo: 'head' },
    ],
  }
}

async function buildScript(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    build: {
      write: false,
      copyPublicDir: false,
      lib: { entry, formats: ['iife'], name: 'first', fileName: () => 'first.js' },
    },
  })
  const [result] = Array.isArray(output) ? output : []
  const [chunk] = result?.output ?? []
  if (chunk === undefined) throw new Error('the first script was not built')
  return chunk.code
}
