import { parseArgs } from 'node:util'
import type { Config } from '#src/config.ts'
import { describe, findSnapshot } from './command.ts'
import { openVault } from './open-vault.ts'
import { restoreBackup } from './restoring.ts'

const OPTIONS = { from: { type: 'string' }, snapshot: { type: 'string' } } as const

export interface RestoreResult {
  lines: string[]
  /** False if damaged files were left out. */
  isWhole: boolean
}

/**
 * Runs `npm run restore`.
 * @param report shows progress and warnings
 * @throws Error with a message for the operator
 */
export async function runRestoreCommand(
  config: Config,
  args: readonly string[],
  report: (line: string) => void,
): Promise<RestoreResult> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const vault = await openVault(config, values.from, false)
  try {
    const { name, manifest } = await findSnapshot(vault, values.snapshot)
    const { isNew, damaged } = await restoreBackup({ vault, manifest, config, report })
    if (!isNew)
      return {
        lines: ['completed an earlier restore that was interrupted in its last step'],
        isWhole: true,
      }
    const lines = [
      `restored ${name} from ${vault.repository.location}: ${describe(manifest)}`,
      ...[...manifest.missing, ...damaged].map((key) => `missing: ${key}`),
    ]
    return { lines, isWhole: damaged.length === 0 }
  } finally {
    await vault.repository.close()
  }
}
