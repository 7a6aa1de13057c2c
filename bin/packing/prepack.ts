// Runs before `npm pack` and `npm publish` of a package: compiles its sources to JavaScript and type declarations, and writes a
// manifest that exports them. The repository's own manifest exports the sources. Postpack restores it.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const folder = process.cwd()
const manifestPath = join(folder, 'package.json')
const sourceManifestPath = join(folder, 'package.source.json')

// An aborted pack has left the original manifest under this name.
if (existsSync(sourceManifestPath)) renameSync(sourceManifestPath, manifestPath)
rmSync(join(folder, 'dist'), { recursive: true, force: true })
compile()
for (const path of globSync('dist/**/*.d.ts', { cwd: folder })) rewriteDeclarations(join(folder, path))
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
copyFileSync(manifestPath, sourceManifestPath)
writeFileSync(manifestPath, `${JSON.stringify(publishedManifest(), null, 2)}\n`)

function compile(): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: folder, stdio: 'inherit' })
}

/** Rewrites imports in declarations, as the compiler does only in JavaScript. Ignores type errors if an optional library is missing. */
function rewriteDeclarations(path: string): void {
  const optional = Object.keys(readManifest().peerDependencies ?? {})
  const lines = readFileSync(path, 'utf8').split('\n')
  const rewritten = lines.flatMap((line) => {
    const isOptional = optional.some((name) => line.includes(`'${name}'`) || line.includes(`"${name}"`))
    const text = line.replace(/(from |import\()(['"]\.[^'"]*)\.ts(?=['"])/g, '$1$2.js')
    return isOptional ? ['// @ts-ignore: an optional library', text] : [text]
  })
  writeFileSync(path, rewritten.join('\n'))
}

function publishedManifest(): object {
  const { scripts: _scripts, devDependencies: _devDependencies, ...rest } = readManifest()
  const built = { types: './dist/*.d.ts', default: './dist/*.js' }
  return { ...rest, exports: { './*': built, './package.json': './package.json' } }
}

function readManifest(): { peerDependencies?: Record<string, string>; [name: string]: unknown } {
  return JSON.parse(readFileSync(manifestPath, 'utf8'))
}
