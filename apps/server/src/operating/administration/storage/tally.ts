import { MAX_LARGEST, type StoragePurpose } from '@foyer/protocol/operator-storage'
import type { Purpose } from '#src/files/objects/rows.ts'

export interface Amount {
  count: number
  bytes: number
}

/** Fields of a file that the survey counts. */
export interface SurveyedFile {
  tenant_id: string
  id: string
  bucket_id: string
  bucket_kind: 's3' | 'included' | 'own'
  purpose: Purpose | 'unfinished'
  size_bytes: number
  is_space: boolean
}

export interface FileKey {
  tenant_id: string
  id: string
}

/** Stored results of a survey: ids and sums, without names of deleted objects. */
export interface Findings {
  total: Amount
  purposes: (Amount & { purpose: StoragePurpose })[]
  own: Amount
  buckets: (Amount & FileKey)[]
  spaces: (Amount & { id: string })[]
  files: (FileKey & { bytes: number })[]
  missing: Amount & { files: FileKey[] }
  loose: Amount | null
}

/** Adds up files, which arrive sorted by tenant. Its memory grows with the number of spaces' buckets only. */
export class Tally {
  readonly #total: Amount = { count: 0, bytes: 0 }
  readonly #own: Amount = { count: 0, bytes: 0 }
  readonly #purposes = new Map<StoragePurpose, Amount>()
  readonly #buckets = new Map<string, Amount & FileKey>()
  readonly #missing: Amount & { files: FileKey[] } = { count: 0, bytes: 0, files: [] }
  #spaces: (Amount & { id: string })[] = []
  #files: (FileKey & { bytes: number })[] = []
  #space: (Amount & { id: string }) | undefined
  loose: Amount | null = null

  get count(): number {
    return this.#total.count
  }

  add(file: SurveyedFile): void {
    const { tenant_id, id, bucket_id, bucket_kind, purpose, size_bytes: bytes, is_space } = file
    addTo(this.#total, bytes)
    addTo(amountIn(this.#purposes, purpose, { count: 0, bytes: 0 }), bytes)
    if (bucket_kind === 's3')
      addTo(amountIn(this.#buckets, bucket_id, { tenant_id, id: bucket_id, count: 0, bytes: 0 }), bytes)
    else addTo(this.#own, bytes)
    if (is_space) addTo(this.#spaceOf(tenant_id), bytes)
    if (purpose === 'message') this.#files = withLargest(this.#files, { tenant_id, id, bytes })
  }

  addMissing({ tenant_id, id, size_bytes }: Pick<SurveyedFile, 'tenant_id' | 'id' | 'size_bytes'>): void {
    addTo(this.#missing, size_bytes)
    if (this.#missing.files.length < MAX_LARGEST) this.#missing.files.push({ tenant_id, id })
  }

  result(): Findings {
    this.#endSpace()
    return {
      total: this.#total,
      purposes: [...this.#purposes]
        .map(([purpose, amount]) => ({ purpose, ...amount }))
        .sort((one, other) => other.bytes - one.bytes),
      own: this.#own,
      buckets: [...this.#buckets.values()]
        .sort((one, other) => other.bytes - one.bytes)
        .slice(0, MAX_LARGEST),
      spaces: this.#spaces,
      files: this.#files,
      missing: this.#missing,
      loose: this.loose,
    }
  }

  #spaceOf(id: string): Amount {
    if (this.#space?.id === id) return this.#space
    this.#endSpace()
    this.#space = { id, count: 0, bytes: 0 }
    return this.#space
  }

  #endSpace(): void {
    if (this.#space !== undefined) this.#spaces = withLargest(this.#spaces, this.#space)
    this.#space = undefined
  }
}

function addTo(amount: Amount, bytes: number): void {
  amount.count += 1
  amount.bytes += bytes
}

function amountIn<K, A extends Amount>(amounts: Map<K, A>, key: K, none: A): A {
  const amount = amounts.get(key) ?? none
  amounts.set(key, amount)
  return amount
}

/** Adds an item to the list of the largest items, if it is large enough. Returns the list, largest first. */
function withLargest<T extends { bytes: number }>(largest: T[], one: T): T[] {
  const last = largest.at(MAX_LARGEST - 1)
  if (last !== undefined && last.bytes >= one.bytes) return largest
  return [...largest, one].sort((a, b) => b.bytes - a.bytes).slice(0, MAX_LARGEST)
}
