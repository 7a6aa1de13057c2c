import { parseArgs } from 'node:util'
import type { Config } from '#src/config.ts'
import { describe, findSnapshot } from './command.ts'
import { openVault } from './open-vault.ts'
import { restoreBackup } from './restoring.ts'

const OPTIONS = { from: { type: 'string' }, snapshot: { type: 'string' } } as const

/**
 * Runs `npm run restore`.
 * @param report shows progress and warnings
 * @returns the lines of the result
 * @throws Error in words for the operator
 */
export async function runRestoreCommand(
  config: Config,
  args: readonly string[],
  report: (line: string) => void,
): Promise<string[]> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const vault = await openVault(config, values.from, false)
  try {
    const { name, manifest } = await findSnapshot(vault, values.snapshot)
    const isNew = await restoreBackup({ vault, manifest, config, report })
    if (!isNew) return ['completed an earlier restore that was interrupted in its last step']
    return [
      `restored ${name} from ${vault.repository.location}: ${describe(manifest)}`,
      ...manifest.missing.map((key) => `missing: ${key}`),
    ]
  } finally {
    await vault.repository.close()
  }
}
