import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const { resolve } = createRequire(import.meta.url)

export interface Outcome {
  code: number
  output: string
}

/** Runs a program of an npm package with the Node of this process. Returns its exit code and output. */
export function runTool(name: string, program: string, args: readonly string[]): Promise<Outcome> {
  const path = join(folderOf(name), program)
  return new Promise((done) => {
    const options = { cwd: folder, env: { ...process.env, ...SILENT }, maxBuffer: 2 ** 26 }
    execFile(process.execPath, [path, ...args], options, (error, out, complaints) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), output: `${out}${complaints}` })
    })
  })
}

/** Disables telemetry, update checks and prompts. */
const SILENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1', CI: 'true' }

/** Finds a package's folder by the path of its package.json, which not every package exports. */
function folderOf(name: string): string {
  const [found] = (resolve.paths(name) ?? []).flatMap((modules) => {
    try {
      return [dirname(resolve(join(modules, name, 'package.json')))]
    } catch {
      return []
    }
  })
  if (found === undefined) throw new Error(`${name} is not installed: run npm ci`)
  return found
}
