import type { Import } from './imports.ts'
import type { Rule, Tree } from './rule.ts'
import { isTest, type Violation } from './source.ts'
import { type Workspace, workspaceAt } from './workspaces.ts'

/** Other packages that the product's code may import, by folder. Tests may import all declared dependencies. */
const REACH: Readonly<Record<string, readonly string[]>> = {
  'packages/protocol/src': ['typebox'],
  'packages/markdown/src': ['declared libraries'],
  'packages/sdk/src/voice': ['@foyer/protocol', 'livekit-client', 'node-datachannel'],
  'packages/sdk/src': ['@foyer/protocol'],
  'apps/web/src': ['@foyer/markdown', '@foyer/protocol', '@foyer/sdk', 'declared libraries'],
  'apps/server/src': ['@foyer/markdown', '@foyer/protocol', 'declared libraries', 'node:'],
}

export const reach: Rule = {
  name: 'packages import one way: protocol ← sdk ← web, protocol ← server, markdown ← both',
  check: (tree) => tree.imports.flatMap((edge) => violationOf(edge, tree)),
}

export const testsStayOutside: Rule = {
  name: 'product code imports no test',
  check: ({ imports }) =>
    imports.flatMap(({ from, line, specifier, target }) => {
      if (isTest(from) || !isProduct(from) || target.kind !== 'file' || !isTest(target.path)) return []
      return [
        { path: from, line, message: `${specifier} belongs to tests: move what the product needs into src` },
      ]
    }),
}

export const packageReachRules: readonly Rule[] = [reach, testsStayOutside]

function violationOf(edge: Import, { workspaces }: Tree): Violation[] {
  const own = workspaceAt(workspaces, edge.from)
  if (!own || !isProduct(edge.from)) return []
  const name = reachedName(edge, workspaces)
  if (name === own.name || allowedNames(edge.from, own).some((allowed) => matches(name, allowed))) return []
  return [
    {
      path: edge.from,
      line: edge.line,
      message: `may not import ${name}: declare it in ${own.folder}, if REACH lets it`,
    },
  ]
}

function isProduct(path: string): boolean {
  return path.startsWith('packages/') || path.startsWith('apps/')
}

function reachedName({ target, specifier }: Import, workspaces: readonly Workspace[]): string {
  if (target.kind === 'library') return target.name
  if (target.kind === 'file') return workspaceAt(workspaces, target.path)?.name ?? target.path
  return specifier
}

/** Returns the packages that a file may import. Files outside the folders of REACH are tests, examples and configuration of tools. */
function allowedNames(path: string, own: Workspace): string[] {
  const folder = Object.keys(REACH).find((prefix) => path.startsWith(`${prefix}/`))
  const allowed = folder === undefined ? undefined : REACH[folder]
  if (!allowed || isTest(path)) return ['node:', ...own.dependencies, ...own.devDependencies]
  const libraries = [...own.dependencies, ...own.devDependencies].filter(
    (name) => !name.startsWith('@foyer/'),
  )
  return allowed.flatMap((name) => (name === 'declared libraries' ? libraries : [name]))
}

function matches(name: string, allowed: string): boolean {
  return allowed === 'node:' ? name.startsWith('node:') : name === allowed
}
