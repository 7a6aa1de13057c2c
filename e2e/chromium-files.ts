import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { lstat, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface ChromiumFiles {
  executable: string
  environment: NodeJS.ProcessEnv
}

/** Reason why Chromium cannot run on this machine, or false. */
export const noBrowser: string | false =
  process.platform === 'linux' && process.arch === 'x64'
    ? false
    : `the registry has no Chromium for ${process.platform} on ${process.arch}`

const run = promisify(execFile)
// `userInfo` fails for users without a name, as in containers.
const ownId = process.getuid?.()

/**
 * Returns Chromium with its libraries and fonts. Unpacks them once per user and version: 210 MB, three seconds.
 * @throws Error if other users have access to the folder
 */
export async function chromiumFiles(): Promise<ChromiumFiles> {
  const folder = join(tmpdir(), `foyer-chromium-${packageVersion()}-${ownId}`)
  const executable = join(folder, 'chromium')
  if (!existsSync(executable)) await unpackInto(folder)
  await refuseStrangers(folder)
  const environment = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  if (await starts(executable, environment)) return { executable, environment }
  // The package has NSS and related libraries, which servers usually lack.
  return { executable, environment: { ...environment, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } }
}

/** Unpacks into a new folder and renames it, so that parallel runs neither use an incomplete folder nor replace a complete one. */
async function unpackInto(folder: string): Promise<void> {
  const staging = await mkdtemp(`${folder}-`)
  try {
    const program = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url))
    await run(process.execPath, [program], { env: { ...process.env, TMPDIR: staging } })
    await writeFile(join(staging, 'fonts.conf'), fontConfiguration(folder))
    await rename(staging, folder).catch(async (error) => {
      if (existsSync(join(folder, 'chromium'))) return
      // An existing folder without Chromium has lost parts to a cleaner of temporary files, so it is replaced.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await refuseStrangers(folder)
      await rm(folder, { recursive: true, force: true })
      await rename(staging, folder)
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/**
 * Throws if other users have access to the folder. Everyone can create folders in the temporary directory, and the
 * tests run a program from this one.
 */
async function refuseStrangers(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder)
  if (uid === ownId && (mode & 0o077) === 0) return
  throw new Error(`${folder} is open to another user: remove it, or set TMPDIR to a folder of your own`)
}

/** Uses only the package's fonts, so that screenshots are the same on every machine. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`
}

async function starts(executable: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return run(executable, ['--version'], { env }).then(
    () => true,
    () => false,
  )
}

function packageVersion(): string {
  const manifest = new URL('../package.json', import.meta.resolve('@sparticuz/chromium'))
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}
