import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../../..')
const BUNDLER = join(ROOT, 'node_modules/rolldown/bin/cli.mjs')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')
/** Dependencies that npm would download. They are packed from node_modules instead. */
const LIBRARIES = ['typebox', 'ws', '@types/node', 'undici-types']
const run = promisify(execFile)

/** A project outside of the repository, with the packages installed as from a registry. */
export interface PackedProject {
  folder: string
  /**
   * Type-checks the files with all strict flags, including declarations of libraries.
   * @returns the errors of the compiler
   */
  check(files: Record<string, string>, options: object): Promise<string>
  /**
   * Bundles a module for browsers.
   * @returns the scripts
   */
  bundle(name: string): Promise<string[]>
  remove(): Promise<void>
}

export async function installPackedSdk(): Promise<PackedProject> {
  const scratch = await mkdtemp(join(tmpdir(), 'foyer-packed-'))
  const folder = join(scratch, 'project')
  const tarballs = [...(await packOwn(scratch)), ...(await Promise.all(LIBRARIES.map(packLibrary(scratch))))]
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'outside', type: 'module' }))
  await npm(folder, ['install', '--offline', ...tarballs])
  return {
    folder,
    check: (files, options) => check(folder, files, options),
    bundle: (name) => bundle(folder, name),
    remove: () => rm(scratch, { recursive: true }),
  }
}

/** Packs a copy of the repository, because packing replaces the manifests for a moment. */
async function packOwn(scratch: string): Promise<string[]> {
  const copy = join(scratch, 'copy')
  const filter = (path: string) => !/node_modules$/.test(path)
  for (const part of ['bin', 'packages', 'LICENSE', 'package.json', 'tsconfig.json'])
    await cp(join(ROOT, part), join(copy, part), { recursive: true, filter })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const names = ['protocol', 'sdk']
  return Promise.all(names.map((name) => pack(join(copy, 'packages', name), scratch, [])))
}

function packLibrary(scratch: string): (name: string) => Promise<string> {
  return (name) => pack(join(ROOT, 'node_modules', name), scratch, ['--ignore-scripts'])
}

async function pack(source: string, into: string, flags: string[]): Promise<string> {
  const written = await npm(source, ['pack', '--pack-destination', into, ...flags])
  // The last line is the name of the tarball.
  const filename = written.trim().split('\n').at(-1) ?? ''
  return join(into, filename)
}

async function npm(cwd: string, args: string[]): Promise<string> {
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier']
  const { stdout } = await run('npm', [...args, ...quiet], { cwd })
  return stdout
}

async function check(folder: string, files: Record<string, string>, options: object): Promise<string> {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
  const compilerOptions = { ...strict, skipLibCheck: false, noEmit: true, ...options }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const config = JSON.stringify({ compilerOptions, files: Object.keys(files) })
  await writeFile(join(folder, 'tsconfig.json'), config)
  return run(process.execPath, [COMPILER, '-p', folder, '--pretty', 'false']).then(
    () => '',
    (failure: { stdout: string }) => failure.stdout,
  )
}

async function bundle(folder: string, name: string): Promise<string[]> {
  const into = join(folder, 'bundled')
  await run(process.execPath, [BUNDLER, name, '--dir', into, '--platform', 'browser'], { cwd: folder })
  return Promise.all((await readdir(into)).map((file) => readFile(join(into, file), 'utf8')))
}
