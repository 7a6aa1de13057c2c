import { createHash, randomBytes, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { BackupError } from './backup-error.ts'
import { contentOf, type Repository } from './repository.ts'
import { sealAll, unsealAll } from './sealed-frames.ts'

const NAME = 'repository.json'
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Parameters of scrypt: each guess of a passphrase costs 32 MiB and about 0.1 s. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const
const MIN_KEY_FILE_BYTES = 32

const Header = Type.Object({
  format: Type.Literal(1),
  kind: Type.Enum(['passphrase', 'key file']),
  salt: Type.String(),
  cost: Type.Object({ N: Type.Integer(), r: Type.Integer(), p: Type.Integer() }),
  sealed_key: Type.String(),
})
type Header = Static<typeof Header>

/** The secret that opens a repository, from the operator's settings. */
export interface Secret {
  kind: Header['kind']
  bytes: Buffer
}

/**
 * Reads the secret from the settings.
 * @throws BackupError if they name none, or both
 */
export async function readSecret(settings: {
  passphrase: string | undefined
  keyFile: string | undefined
}): Promise<Secret> {
  const { passphrase, keyFile } = settings
  if (passphrase !== undefined && keyFile !== undefined)
    throw new BackupError('BACKUP_PASSPHRASE and BACKUP_KEY_FILE are both set: remove one of them')
  if (passphrase !== undefined) return { kind: 'passphrase', bytes: Buffer.from(passphrase.normalize('NFC')) }
  if (keyFile === undefined)
    throw new BackupError('backups are encrypted: set BACKUP_PASSPHRASE or BACKUP_KEY_FILE')
  const bytes = await readFile(keyFile).catch((cause: Error) => {
    throw new BackupError(`BACKUP_KEY_FILE ${keyFile} cannot be read: ${cause.message}`, { cause })
  })
  if (bytes.length < MIN_KEY_FILE_BYTES)
    throw new BackupError(`BACKUP_KEY_FILE ${keyFile} has less than ${MIN_KEY_FILE_BYTES} bytes`)
  return { kind: 'key file', bytes }
}

/**
 * Returns the random key of a repository, which the first backup creates.
 * @throws BackupError for a wrong secret
 */
export async function openOrMakeKey(repository: Repository, secret: Secret): Promise<Buffer> {
  if ((await repository.read(NAME)) === undefined) {
    if ((await repository.list('snapshots')).length > 0)
      throw new BackupError(`${repository.location} has backups, but its ${NAME} is missing`)
    await writeHeader(repository, secret)
  }
  // Read back, because only the later key of two simultaneous first backups stays. Each backup compares the key again
  // before it writes its manifest.
  return openKey(repository, secret)
}

/** @throws BackupError for a wrong secret, and if there is no repository */
export async function openKey(repository: Repository, secret: Secret): Promise<Buffer> {
  const stored = await repository.read(NAME)
  if (stored === undefined) throw new BackupError(`there is no backup in ${repository.location}`)
  const header = parseHeader(Buffer.concat(await Array.fromAsync(stored)).toString(), repository.location)
  if (header.kind !== secret.kind)
    throw new BackupError(`the backups in ${repository.location} are encrypted with a ${header.kind}`)
  const wrapping = await wrappingKey(secret, header)
  return unsealAll(wrapping, NAME, [Buffer.from(header.sealed_key, 'base64')]).catch((cause: unknown) => {
    throw new BackupError(`the ${secret.kind} does not open the backups in ${repository.location}`, { cause })
  })
}

/** Returns the secret key among the files of DATA_DIR, which are in base64. */
export function secretKeyIn(extras: Readonly<Record<string, string>>): string | undefined {
  const kept = extras['secret.key']
  return kept === undefined ? undefined : Buffer.from(kept, 'base64').toString('utf8').trim()
}

/** Returns a fingerprint of a secret key, to check later whether a key is the same. */
export function fingerprintOf(secretKey: string): string {
  return createHash('sha256').update(`foyer secret key fingerprint ${secretKey}`).digest('hex').slice(0, 16)
}

async function writeHeader(repository: Repository, secret: Secret): Promise<void> {
  const salt = randomBytes(SALT_BYTES).toString('base64')
  const kind = secret.kind
  const wrapping = await wrappingKey(secret, { salt, cost: COST })
  const sealed = await sealAll(wrapping, NAME, randomBytes(KEY_BYTES))
  const header: Header = { format: 1, kind, salt, cost: COST, sealed_key: sealed.toString('base64') }
  await repository.write(NAME, contentOf(Buffer.from(`${JSON.stringify(header)}\n`)))
}

function parseHeader(text: string, location: string): Header {
  try {
    const header: unknown = JSON.parse(text)
    if (Check(Header, header) && isAffordable(header.cost)) return header
  } catch {
    // Text that is not JSON is treated like a wrong header.
  }
  throw new BackupError(`${NAME} in ${location} is damaged, or was written by a newer version of Foyer`)
}

/** Limits the cost of scrypt: a changed header must not use up the memory or the time of the machine. */
function isAffordable({ N, r, p }: Header['cost']): boolean {
  return N <= COST.N * 16 && r <= COST.r * 2 && p <= COST.p * 4 && Math.min(N, r, p) > 0
}

function wrappingKey({ bytes }: Secret, { salt, cost }: Pick<Header, 'salt' | 'cost'>): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const maxmem = 256 * cost.N * cost.r
  scrypt(bytes, Buffer.from(salt, 'base64'), KEY_BYTES, { ...cost, maxmem }, (error, key) =>
    error === null ? resolve(key) : reject(error),
  )
  return promise
}
