import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** Text files by their path from the root. A plain record, so that self-tests can write one by hand. */
export type Files = Readonly<Record<string, string>>

/**
 * Paths that .gitignore ignores. The files are listed from the disk and not by git, because the tests also run from an archive
 * and in images without git.
 */
const IGNORED = ['node_modules', '.git', 'data', 'apps/web/dist', 'e2e/screenshots', 'openapi/generated']
const IGNORED_ANYWHERE = ['node_modules', 'dist', '.git']

const TEXT_EXTENSIONS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.mjs',
  '.json',
  '.md',
  '.sql',
  '.css',
  '.html',
  '.sh',
  '.yml',
  '.svg',
]

/** Reads every text file below `root` that git would track. */
export function readRepository(root: string): Files {
  return Object.fromEntries(listPaths(root, '').map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

function listPaths(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (IGNORED.includes(path) || IGNORED_ANYWHERE.includes(entry.name)) return []
    if (entry.isDirectory()) return listPaths(root, path)
    return entry.isFile() && TEXT_EXTENSIONS.includes(extname(entry.name)) ? [path] : []
  })
}
