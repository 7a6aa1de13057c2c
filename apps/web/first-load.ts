interface ModuleInfo {
  readonly importedIds: readonly string[]
  readonly code: string | null
}

interface ModuleGraph {
  getModuleInfo(id: string): ModuleInfo | null
}

/**
 * Puts what a page needs before it shows anything into two files, in place of one for each set of pages that share something:
 * what everybody needs, and what a room needs besides. What the page's own script needs stays apart, and goes first, because
 * groups take along what they import: it runs before the language is known.
 */
export function firstLoad(folder: string) {
  const sets = new WeakMap<ModuleGraph, ReturnType<typeof gather>>()
  function setsOf(graph: ModuleGraph) {
    const known = sets.get(graph) ?? gather(folder, graph)
    sets.set(graph, known)
    return known
  }
  function groupOf(id: string, { begin, doors, app, room }: ReturnType<typeof gather>): string | null {
    if (begin.has(id) || doors.has(id)) return null
    if (app.has(id)) return 'app'
    return room.has(id) ? 'room' : null
  }
  return [
    {
      debugName: 'before the language is known',
      priority: 1,
      name: (id: string, graph: ModuleGraph) => {
        const { begin, doors } = setsOf(graph)
        return (begin.has(id) && !doors.has(id)) || id.includes(PRELOAD) ? 'begin' : null
      },
    },
    {
      debugName: 'first load',
      name: (id: string, graph: ModuleGraph) => groupOf(id, setsOf(graph)),
    },
  ]
}

/** What fetches modules, whose own place is nowhere. */
const PRELOAD = 'vite/preload-helper'

function gather(folder: string, graph: ModuleGraph) {
  const at = (path: string) => `${folder}/src/${path}`
  const [main, open, pages, parser] = [
    at('main.tsx'),
    at('open.tsx'),
    at('shell/pages.tsx'),
    at('markdown/parser.ts'),
  ]
  return {
    begin: reachable([main], graph),
    doors: new Set([main, open, pages, parser]),
    app: reachable([open], graph),
    room: reachable([pages, parser], graph),
  }
}

/** What these modules import, and what that imports; not what is fetched later. */
function reachable(ids: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set(ids)
  for (const id of found) for (const imported of importsOf(id, graph)) found.add(imported)
  return found
}

function importsOf(id: string, graph: ModuleGraph): string[] {
  const { importedIds = [], code } = graph.getModuleInfo(id) ?? {}
  return importedIds.flatMap((imported) =>
    imported.endsWith(ICONS) ? iconsIn(code ?? '', imported, graph) : imported,
  )
}

/** One module that has all icons: what imports one does not need the others. */
const ICONS = '/lucide-react/dist/esm/lucide-react.mjs'

function iconsIn(code: string, icons: string, graph: ModuleGraph): string[] {
  const list = graph.getModuleInfo(icons)?.code ?? ''
  const named = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/.exec(code)?.[1] ?? ''
  const names = named.split(',').flatMap((name) => name.trim().split(/\s/)[0] || [])
  return names.flatMap((name) => {
    const file = new RegExp(`\\bdefault as ${name}\\b[^;]*?from ["']\\.(/[^"']+)["']`).exec(list)?.[1]
    return file === undefined ? [] : [icons.replace(/\/[^/]*$/, file)]
  })
}
