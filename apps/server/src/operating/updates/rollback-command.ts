import { parseArgs } from 'node:util'
import type pg from 'pg'
import type { Config } from '#src/config.ts'
import { KEPT } from '#src/kernel/database/snapshot-names.ts'
import { findVersion, type Version } from '#src/kernel/database/versions.ts'
import { bringBackCode, checkCode } from './checkout.ts'
import { NoSnapshot } from './no-snapshot.ts'
import { endOf, type Kept, type KeptKind, listKept, removeRecord, writeRecord } from './records.ts'
import { describeLoss } from './rollback-loss.ts'
import {
  APPLICATION_NAME,
  type Beside,
  connectionTo,
  isInUse,
  openBeside,
  rename,
  withClient,
} from './server-databases.ts'
import { nameSessions } from './sessions.ts'
import { dropLeftovers, retireKept } from './swapping.ts'

const OPTIONS = {
  yes: { type: 'boolean', default: false },
  undo: { type: 'boolean', default: false },
  discard: { type: 'boolean', default: false },
} as const

/** Dependencies that the process of the command provides. */
export interface RollbackDeps {
  config: Pick<Config, 'updateSnapshotDays' | 'databaseUrl'>
  /** Connects to the database of the installation. */
  connect: () => Promise<{ connection: pg.ClientConfig; isShared: boolean; close(): Promise<void> }>
  /** Folder of the checkout. */
  root: string
  /** Prints a line about the next step. */
  report: (line: string) => void
  /**
   * Asks the person at the terminal for a confirmation.
   * @returns false if the answer is no, or there is no terminal
   */
  confirm: () => Promise<boolean>
}

/**
 * Runs `npm run rollback`: gives the database from before the latest update its name back, and checks out its version.
 * `--undo` reverses a rollback.
 * @returns the lines of the result
 * @throws Error with a message for the operator; nothing is changed then
 */
export async function runRollbackCommand(deps: RollbackDeps, args: readonly string[]): Promise<string[]> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  await using stack = new AsyncDisposableStack()
  const opened = await deps.connect()
  stack.defer(() => opened.close())
  if (deps.config.databaseUrl === undefined && opened.isShared)
    throw new Error('the server runs: stop it first')
  const { connection } = opened
  const beside = await open(connection)
  stack.defer(() => beside.admin.end())
  const target = await findKept(beside, values.undo ? 'after' : 'before')
  if (!values.undo && !values.discard) await refuseLoss(beside, deps.config.updateSnapshotDays)
  await checkUnused(beside)
  const present = await withClient(connection, findVersion)
  deps.report(await withClient(connection, (client) => describeLoss(client, target)))
  if (!values.yes && !(await deps.confirm())) throw new Error('nothing has changed: add --yes to go on')
  return await goBack(deps, { connection, beside, target, present })
}

async function open(connection: pg.ClientConfig): Promise<Beside> {
  try {
    return await openBeside(connection)
  } catch (error) {
    throw error instanceof NoSnapshot ? new Error(`there is no snapshot: ${error.message}`) : error
  }
}

async function findKept(beside: Beside, kind: KeptKind): Promise<Kept> {
  const found = (await listKept(beside.admin, beside.name)).find((kept) => kept.kind === kind)
  if (found !== undefined) return found
  throw new Error(
    kind === 'before'
      ? 'there is no snapshot to go back to: no update has made one, it was dropped when its time was over, or you have gone ' +
          'back already (--undo returns)'
      : 'there is no rollback to undo',
  )
}

/** Fails if a server, an operator or a monitoring program is connected. */
async function checkUnused({ admin, name }: Beside): Promise<void> {
  const databases = [name, ...Object.values(KEPT).map((end) => name + end)]
  const sessions = await nameSessions(admin, databases, APPLICATION_NAME)
  if (sessions !== '') throw inUse(` (${sessions})`)
}

function inUse(sessions = ''): Error {
  return new Error(
    `other programs are connected to the database${sessions}: stop all servers first; nothing has changed`,
  )
}

/** Refuses to drop newer data that an earlier rollback has kept: the newer code was started again after that rollback. */
async function refuseLoss({ admin, name }: Beside, days: number): Promise<void> {
  const newer = (await listKept(admin, name)).find(({ kind }) => kind === 'after')
  if (newer === undefined || endOf(newer, days).getTime() <= Date.now()) return
  throw new Error(
    `an earlier rollback has kept the newer data of ${newer.madeAt.toISOString()}, which would be dropped: --undo returns to ` +
      'it, and --discard drops it; nothing has changed',
  )
}

interface Return {
  connection: pg.ClientConfig
  beside: Beside
  target: Kept
  /** The version that ran before the rollback. */
  present: Version | undefined
}

async function goBack(
  deps: RollbackDeps,
  { connection, beside, target, present }: Return,
): Promise<string[]> {
  await dropLeftovers(beside)
  await withClient(connectionTo(connection, target.database), forgetPositions)
  const plan = await checkCode(deps.root, target.version)
  const code = await swap(beside, { target, present }, () => bringBackCode(deps.root, plan))
  await dropLeftovers(beside)
  const kept = beside.name + otherEnd(target)
  const until = endOf({ ...target, madeAt: new Date() }, deps.config.updateSnapshotDays).toISOString()
  return [
    `The data is that of ${target.madeAt.toISOString()} again.`,
    code,
    target.kind === 'before'
      ? `The newer data is kept as ${kept}, until ${until}: npm run rollback -- --undo returns to it.`
      : `The other data is kept as ${kept}, until ${until}.`,
  ]
}

function otherEnd({ kind }: Kept): string {
  return KEPT[kind === 'before' ? 'after' : 'before']
}

/** Records the rollback, so that no client resumes from a position that this database does not have: see `noteStart`. */
async function forgetPositions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ attname: string }>(
    `select attname from pg_attribute where attrelid = to_regclass('restores') and attname in ('started_at', 'is_rollback')`,
  )
  const columns = new Set(rows.map(({ attname }) => attname))
  // Versions from before the introduction of backups lack this table or column.
  if (!columns.has('started_at')) return
  await client.query(
    columns.has('is_rollback')
      ? 'insert into restores (is_rollback) values (true)'
      : 'insert into restores default values',
  )
}

/**
 * Swaps the names in one transaction, and checks out the code before the commit. If the process is killed in between, the earlier
 * version refuses the newer data; in the other order, the newer version would migrate the earlier data again.
 * @returns the remaining step for the code
 */
async function swap(
  beside: Beside,
  { target, present }: Pick<Return, 'target' | 'present'>,
  bringCode: () => Promise<string>,
): Promise<string> {
  const { admin, name } = beside
  const other = name + otherEnd(target)
  try {
    await admin.query('begin')
    await retireKept(beside, target.kind)
    await rename(beside, name, other)
    await rename(beside, target.database, name)
    await writeRecord(beside, other, present)
    await removeRecord(beside, name)
    const code = await bringCode()
    await admin.query('commit')
    return code
  } catch (error) {
    await admin.query('rollback').catch(() => undefined)
    throw isInUse(error) ? inUse() : error
  }
}
