import { posix } from 'node:path'
import type { Files } from './repository-files.ts'

/** The fields of a package.json that imports need. */
export interface Workspace {
  folder: string
  name: string
  imports: Readonly<Record<string, string>>
  exports: Readonly<Record<string, string>>
  dependencies: readonly string[]
  devDependencies: readonly string[]
}

interface Manifest {
  name: string
  imports?: Record<string, string>
  exports?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Returns the workspaces below the root, without the root itself. */
export function workspacesOf(files: Files): Workspace[] {
  return Object.entries(files)
    .filter(([path]) => path.endsWith('/package.json'))
    .map(([path, text]) => readManifest(posix.dirname(path), text))
}

export function workspaceAt(workspaces: readonly Workspace[], path: string): Workspace | undefined {
  return workspaces.find((workspace) => path.startsWith(`${workspace.folder}/`))
}

function readManifest(folder: string, text: string): Workspace {
  const manifest: Manifest = JSON.parse(text)
  return {
    folder,
    name: manifest.name,
    imports: manifest.imports ?? {},
    exports: manifest.exports ?? {},
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    devDependencies: Object.keys(manifest.devDependencies ?? {}),
  }
}
