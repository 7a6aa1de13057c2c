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

/** Why no browser runs here; false where one does. */
export const noBrowser: string | false =
  process.platform === 'linux' && process.arch === 'x64'
    ? false
    : `the registry has no Chromium for ${process.platform} on ${process.arch}`

const run = promisify(execFile)
// Not `userInfo`, which fails for the nameless users of containers.
const ownId = process.getuid?.()

/**
 * Chromium with all it needs, unpacked once for each user and version: 210 MB and three seconds.
 * @throws Error when the folder for it is in the hands of another user
 */
export async function chromiumFiles(): Promise<ChromiumFiles> {
  const folder = join(tmpdir(), `foyer-chromium-${packageVersion()}-${ownId}`)
  const executable = join(folder, 'chromium')
  if (!existsSync(executable)) await unpackInto(folder)
  await refuseStrangers(folder)
  const environment = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  if (await starts(executable, environment)) return { executable, environment }
  // NSS and its siblings, which desktops have and servers have not.
  return { executable, environment: { ...environment, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } }
}

/** Beside it first, then into its place at once: runs at the same time neither see half of it nor replace it. */
async function unpackInto(folder: string): Promise<void> {
  const staging = await mkdtemp(`${folder}-`)
  try {
    const program = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url))
    await run(process.execPath, [program], { env: { ...process.env, TMPDIR: staging } })
    await writeFile(join(staging, 'fonts.conf'), fontConfiguration(folder))
    await rename(staging, folder).catch(async (error) => {
      if (existsSync(join(folder, 'chromium'))) return
      // A tidier of old files left a part of it.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await refuseStrangers(folder)
      await rm(folder, { recursive: true, force: true })
      await rename(staging, folder)
    })
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Anybody may make folders beside others' temporary files: what is run from there must be one's own. */
async function refuseStrangers(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder)
  if (uid === ownId && (mode & 0o077) === 0) return
  throw new Error(`${folder} is open to another user: remove it, or set TMPDIR to a folder of your own`)
}

/** The package's fonts alone, so that pictures are the same on every machine. */
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
