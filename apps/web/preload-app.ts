import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { SIGNED_IN_FILES } from './src/shell/signed-in-files.ts'

interface Entries {
  /** Module that runs once the language is known. */
  app: string
  /** Modules needed only by signed-in users. */
  pages: readonly string[]
}

/**
 * Preloads the app and its imports while the page loads its language. Files for signed-in users are listed in a meta tag,
 * and the first script preloads them if there is a session.
 */
export function preloadApp({ app, pages }: Entries): Plugin {
  return {
    name: 'preload-app',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = chunksOf(bundle)
        const isLinked = (name: string) => html.includes(`/${name}"`)
        const needed = filesOf(app, chunks).filter((name) => !isLinked(name))
        const further = pages.flatMap((entry) => filesOf(entry, chunks))
        const kept = new Set(further.filter((name) => !isLinked(name) && !needed.includes(name)))
        return [
          ...needed.map((name) => (isStyle(name) ? link('stylesheet', name) : link('modulepreload', name))),
          {
            tag: 'meta',
            attrs: { name: SIGNED_IN_FILES, content: [...kept].join(' ') },
            injectTo: 'head-prepend',
          },
        ]
      },
    },
  }
}

function chunksOf(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  return Object.values(bundle).filter((output) => output.type === 'chunk')
}

/** Returns the script files of a module, followed by their stylesheets. */
function filesOf(entry: string, chunks: readonly Rolldown.OutputChunk[]): string[] {
  const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(entry))
  if (chunk === undefined) throw new Error(`there is no chunk of ${entry}`)
  const needed = withImports(chunk, chunks).filter(({ isEntry }) => !isEntry)
  const styles = needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  return [...needed.map(({ fileName }) => fileName), ...new Set(styles)]
}

function isStyle(name: string): boolean {
  return name.endsWith('.css')
}

/** Returns the static imports of a chunk, then the chunk itself. Stylesheets depend on this order. */
function withImports(chunk: Rolldown.OutputChunk, chunks: readonly Rolldown.OutputChunk[]) {
  const found = new Set<Rolldown.OutputChunk>()
  const add = (from: Rolldown.OutputChunk, above: readonly Rolldown.OutputChunk[]) => {
    if (above.includes(from)) return
    for (const name of from.imports) {
      const imported = chunks.find(({ fileName }) => fileName === name)
      if (imported !== undefined && !found.has(imported)) add(imported, [...above, from])
    }
    found.add(from)
  }
  add(chunk, [])
  return [...found]
}

function link(rel: string, fileName: string): HtmlTagDescriptor {
  return { tag: 'link', attrs: { rel, crossorigin: true, href: `/${fileName}` }, injectTo: 'head' }
}
