import { dirname } from 'node:path'
import { runRollbackCommand } from '#src/operating/updates/rollback-command.ts'
import type { Installation } from '../processes/installation.ts'

export interface RolledBack {
  lines: string[]
  reports: string[]
}

/** Runs `npm run rollback`. The default `root` contains no checkout that it could change. */
export async function rollBack(
  { connection, config }: Pick<Installation, 'connection' | 'config'>,
  args: readonly string[],
  root = dirname(config.dataDir),
): Promise<RolledBack> {
  const reports: string[] = []
  const lines = await runRollbackCommand(
    {
      ...{ config, root },
      connect: async () => ({ connection, isShared: false, close: async () => undefined }),
      report: (line) => reports.push(line),
      confirm: async () => false,
    },
    args,
  )
  return { lines, reports }
}
