import { join } from 'node:path'

interface ModuleInfo {
  readonly importedIds: readonly string[]
  readonly code: string | null
}

interface ModuleGraph {
  getModuleInfo(id: string): ModuleInfo | null
}

/**
 * Groups the modules of the first load into two chunks, instead of one for each combination of pages: `app` for all pages,
 * and `room` for the rest of what a room needs. The entry script runs before the language is known. The modules that
 * it imports get a chunk of their own, `begin`. It has the highest priority, or else the other chunks would include its modules.
 */
export function firstLoad(folder: string) {
  const sets = new WeakMap<ModuleGraph, ReturnType<typeof collectModules>>()
  function setsOf(graph: ModuleGraph) {
    const known = sets.get(graph) ?? collectModules(folder, graph)
    sets.set(graph, known)
    return known
  }
  function groupOf(
    id: string,
    { entryImports, entries, app, room }: ReturnType<typeof collectModules>,
  ): string | null {
    if (entryImports.has(id) || entries.has(id)) return null
    if (app.has(id)) return 'app'
    return room.has(id) ? 'room' : null
  }
  return [
    {
      debugName: 'before the language is known',
      priority: 1,
      name: (id: string, graph: ModuleGraph) => {
        const { entryImports, entries } = setsOf(graph)
        return (entryImports.has(id) && !entries.has(id)) || id.includes(PRELOAD) ? 'begin' : null
      },
    },
    {
      debugName: 'first load',
      name: (id: string, graph: ModuleGraph) => groupOf(id, setsOf(graph)),
    },
  ]
}

/** Vite's helper for dynamic imports, which belongs to no source module. */
const PRELOAD = 'vite/preload-helper'

function collectModules(folder: string, graph: ModuleGraph) {
  const at = (path: string) => `${folder}/src/${path}`
  const [main, open, pages, parser] = [
    at('main.tsx'),
    at('open.tsx'),
    at('shell/pages.tsx'),
    join(folder, '../../packages/markdown/src/parser.ts'),
  ]
  return {
    entryImports: reachable([main], graph),
    entries: new Set([main, open, pages, parser]),
    app: reachable([open], graph),
    room: reachable([pages, parser], graph),
  }
}

/** Returns the modules and all their static imports. */
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

/** Module that exports all icons. An import of one icon does not need the others. */
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
