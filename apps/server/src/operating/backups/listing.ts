import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '#src/config.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import { listSnapshots } from './manifest.ts'
import { openRepository } from './open-vault.ts'

/** Longest wait for a listing: a storage that does not answer must not keep the operator waiting. */
const LISTING_MS = 5000
/** Time for which a listing is cached: during a backup, clients request it every two seconds. */
const KEPT_MS = 30_000

export interface Listing {
  /** Names, oldest first. */
  readonly snapshots: readonly string[]
  readonly trouble: string | null
}

/** Lists and caches the names of the backups in BACKUP_TO. Needs no passphrase. */
export class BackupListing {
  readonly #config: Config
  #last: { readonly at: number; readonly listing: Promise<Listing> } | undefined

  constructor(config: Config) {
    this.#config = config
  }

  /** @param mayBeOld true to accept a listing from the last half minute */
  read(mayBeOld: boolean): Promise<Listing> {
    const now = performance.now()
    if (mayBeOld && this.#last !== undefined && now - this.#last.at < KEPT_MS) return this.#last.listing
    const listing = list(this.#config)
    this.#last = { at: now, listing }
    return listing
  }
}

async function list(config: Config): Promise<Listing> {
  if (config.backup.to === undefined) return { snapshots: [], trouble: null }
  const late = delay(LISTING_MS, undefined, { ref: false }).then(() => {
    throw new Error('the place of the backups does not answer')
  })
  return Promise.race([names(config), late]).then(
    (snapshots) => ({ snapshots, trouble: null }),
    (error: unknown) => ({ snapshots: [], trouble: wordsOf(error) }),
  )
}

async function names(config: Config): Promise<string[]> {
  const repository = openRepository(config)
  try {
    return await listSnapshots(repository)
  } finally {
    await repository.close()
  }
}
