import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { SIGNED_IN_FILES } from './src/shell/signed-in-files.ts'

interface Entries {
  /** What runs once the page's language is known. */
  app: string
  /** What only those need who are signed in. */
  pages: readonly string[]
}

/**
 * The page waits for its language before it runs the app; meanwhile the browser fetches the app and what it needs. What is for
 * those who are signed in is named, for the page's first script to see to.
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

/** The names of a module's scripts, and of their styles after them. */
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

/** The chunk after all that it imports, as styles must follow each other; without what is fetched later. */
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
