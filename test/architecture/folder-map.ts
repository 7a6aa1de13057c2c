import type { Files } from './repository-files.ts'
import type { Rule } from './rule.ts'
import type { Violation } from './source.ts'

const PAGE = 'docs/ARCHITECTURE.md'
/** Roots of the map, which lists every folder below them. */
const ROOTS = ['apps/server/src', 'apps/web/src', 'packages']
/** A line of the map: two spaces for each level, a folder, and its purpose. */
const LINE = /^(?<indent>(?: {2})*)(?<name>[\w./-]+)\/(?: +(?<purpose>\S.*))?$/

interface Entry {
  path: string
  line: number
}

export const mapIsComplete: Rule = {
  name: `the map in ${PAGE} names every folder of the code, and no other`,
  check: ({ files }) => {
    if (files[PAGE] === undefined) return []
    const entries = entriesOf(files[PAGE])
    const mapped = new Set(entries.map(({ path }) => path))
    const folders = foldersOf(files)
    return [
      ...[...folders].filter((path) => !mapped.has(path)).map(missing),
      ...entries.filter(({ path }) => !folders.has(path)).map(gone),
    ]
  },
}

export const folderMapRules: readonly Rule[] = [mapIsComplete]

/** Returns the folders below ROOTS that contain a file at any depth, and the roots themselves. */
function foldersOf(files: Files): Set<string> {
  const paths = Object.keys(files).flatMap((path) => parentsOf(path))
  return new Set(paths.filter((path) => ROOTS.some((root) => path === root || path.startsWith(`${root}/`))))
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function entriesOf(page: string): Entry[] {
  const above: string[] = []
  return linesOfMap(page).flatMap(({ text, line }) => {
    const { indent, name } = LINE.exec(text)?.groups ?? {}
    if (indent === undefined || name === undefined) return []
    const depth = indent.length / 2
    const path = depth === 0 ? name : `${above[depth - 1]}/${name}`
    above[depth] = path
    return [{ path, line }]
  })
}

/** Returns the lines of the first code block below the heading "Map". */
function linesOfMap(page: string): { text: string; line: number }[] {
  const lines = page.split('\n').map((text, index) => ({ text, line: index + 1 }))
  const heading = lines.findIndex(({ text }) => text === '## Map')
  const start = lines.findIndex(({ text }, index) => index > heading && text === '```')
  const end = lines.findIndex(({ text }, index) => index > start && text === '```')
  return heading === -1 ? [] : lines.slice(start + 1, end)
}

function missing(path: string): Violation {
  return { path: PAGE, line: 1, message: `the map lacks ${path}/: add a line that says what it is for` }
}

function gone({ path, line }: Entry): Violation {
  return { path: PAGE, line, message: `${path}/ is no folder of the code: take its line out` }
}
