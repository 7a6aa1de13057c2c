import { posix } from 'node:path'
import { lineOf, type Node, type Source } from './source.ts'
import { type Workspace, workspaceAt } from './workspaces.ts'

/** Target of an import: a file of the repository, a library (`pg`, `node:fs`), or unknown. */
export type Target = { kind: 'file'; path: string } | { kind: 'library'; name: string } | { kind: 'unknown' }

export interface Import {
  from: string
  line: number
  specifier: string
  typeOnly: boolean
  target: Target
}

/** Returns all imports of a source: static and dynamic imports, re-exports, and `import('…')` in types. */
export function importsOf(source: Source, workspaces: readonly Workspace[]): Import[] {
  return source.places.flatMap(({ node }) => {
    const specifier = specifierOf(node)
    if (specifier === undefined) return []
    const target = resolveSpecifier(specifier, source.path, workspaces)
    return [
      { from: source.path, line: lineOf(source, node.start), specifier, typeOnly: isTypeOnly(node), target },
    ]
  })
}

function specifierOf(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'TSImportType':
      return node.source.value
    case 'ExportNamedDeclaration':
      return node.source?.value
    case 'ImportExpression':
      return node.source.type === 'Literal' ? String(node.source.value) : undefined
    default:
      return undefined
  }
}

function isTypeOnly(node: Node): boolean {
  if (node.type === 'ImportDeclaration') return node.importKind === 'type'
  if (node.type === 'ExportAllDeclaration' || node.type === 'ExportNamedDeclaration')
    return node.exportKind === 'type'
  return node.type === 'TSImportType'
}

function resolveSpecifier(specifier: string, from: string, workspaces: readonly Workspace[]): Target {
  if (specifier.startsWith('.')) {
    return { kind: 'file', path: posix.join(posix.dirname(from), specifier.replace(/\?.*$/, '')) }
  }
  if (specifier.startsWith('#')) {
    const own = workspaceAt(workspaces, from)
    return fileTarget(own, own && matchPattern(own.imports, specifier))
  }
  const name = libraryName(specifier)
  const workspace = workspaces.find((candidate) => candidate.name === name)
  if (!workspace) return { kind: 'library', name }
  return fileTarget(workspace, matchPattern(workspace.exports, specifier.replace(name, '.')))
}

function fileTarget(workspace: Workspace | undefined, path: string | undefined): Target {
  if (!workspace || path === undefined) return { kind: 'unknown' }
  return { kind: 'file', path: posix.join(workspace.folder, path) }
}

/** Resolves a specifier with Node's subpath patterns: an exact key, or a key with one `*`, whose match fills the value's. */
function matchPattern(patterns: Readonly<Record<string, string>>, specifier: string): string | undefined {
  for (const [key, value] of Object.entries(patterns)) {
    const [prefix = '', suffix] = key.split('*')
    if (suffix === undefined && key === specifier) return value
    if (suffix !== undefined && specifier.startsWith(prefix) && specifier.endsWith(suffix)) {
      return value.replace('*', specifier.slice(prefix.length, specifier.length - suffix.length))
    }
  }
  return undefined
}

function libraryName(specifier: string): string {
  const segments = specifier.split('/')
  return segments.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
