import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../errors.ts'

/** The cost of a hash, which is also the cost of a guess. */
export interface PasswordCost {
  /** In KiB. */
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** 19 MiB, two passes, one lane. Source: OWASP Password Storage Cheat Sheet, argon2id. */
export const PASSWORD_COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Maximum hashes at a time. They use two of libuv's four threads; the others stay free for files and compression. */
const MAX_PARALLEL = 2
/** Requests that may wait: about four seconds of work. Further requests are refused immediately. */
const MAX_WAITING = 200
/** Requests of one sender that may wait, so that no sender fills the queue for everyone else. */
const MAX_WAITING_PER_SENDER = 20

const derive = promisify(argon2)

/** Hashes passwords with argon2id on the thread pool, a few at a time. */
export class Passwords {
  readonly #cost: PasswordCost
  readonly #turnstile = new Turnstile()
  /** A hash that matches no password, and takes as long to compare as any other. */
  readonly #decoy: string

  constructor(cost = PASSWORD_COST) {
    this.#cost = cost
    this.#decoy = format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES))
  }

  /** Passwords waiting to be hashed or compared. */
  get waiting(): number {
    return this.#turnstile.waiting
  }

  /**
   * @param sender the network of the client's address, or the id of a signed-in user
   * @returns the PHC string: algorithm, cost, salt and hash
   * @throws ApiError 503 if too many passwords are waiting, from this sender or in total
   */
  async hash(password: string, sender: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const parameters = { ...this.#cost, salt, length: HASH_BYTES }
    return format(this.#cost, salt, await this.#derive(password, parameters, sender))
  }

  /**
   * Returns true if the password matches the hash. A null hash, for an account that does not exist or has no password,
   * takes as long as a wrong password.
   * @param sender the network of the client's address, or the id of a signed-in user
   * @throws ApiError 503 if too many passwords are waiting, from this sender or in total
   */
  async verify(password: string, hash: string | null, sender: string): Promise<boolean> {
    const { parameters, expected } = parse(hash ?? this.#decoy)
    const actual = await this.#derive(password, { ...parameters, length: expected.length }, sender)
    return timingSafeEqual(actual, expected) && hash !== null
  }

  #derive(password: string, { salt, length, ...cost }: Parameters, sender: string): Promise<Buffer> {
    // Keyboards may produce the same characters as different code points. Source: RFC 8265, section 4.2.
    const message = password.normalize('NFC')
    return this.#turnstile.pass(sender, () =>
      derive('argon2id', { ...cost, message, nonce: salt, tagLength: length }),
    )
  }
}

interface Parameters extends PasswordCost {
  salt: Buffer
  length: number
}

function format({ memory, passes, parallelism }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}

const PHC = /^\$argon2id\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)\$(?<salt>[^$]+)\$(?<hash>[^$]+)$/

/** Reads the cost from the hash, so that old hashes stay valid when the cost is raised. */
function parse(phc: string): { parameters: Omit<Parameters, 'length'>; expected: Buffer } {
  const groups = PHC.exec(phc)?.groups
  if (groups === undefined) throw new Error('a stored password hash is not an argon2id string')
  const { m, t, p, salt = '', hash = '' } = groups
  return {
    parameters: {
      memory: Number(m),
      passes: Number(t),
      parallelism: Number(p),
      salt: Buffer.from(salt, 'base64'),
    },
    expected: Buffer.from(hash, 'base64'),
  }
}

/** Lets up to MAX_PARALLEL callers through at a time, in order of arrival. */
class Turnstile {
  #inside = 0
  readonly #waiting: { sender: string; resume: () => void }[] = []

  get waiting(): number {
    return this.#waiting.length
  }

  async pass<T>(sender: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(sender)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(sender: string): Promise<void> {
    if (this.#inside < MAX_PARALLEL) {
      this.#inside += 1
      return
    }
    const ofSender = this.#waiting.filter((waiting) => waiting.sender === sender).length
    if (this.#waiting.length >= MAX_WAITING || ofSender >= MAX_WAITING_PER_SENDER)
      throw new ApiError('unavailable')
    await new Promise<void>((resume) => this.#waiting.push({ sender, resume }))
  }

  /** Passes the slot to the next in line, or frees it. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inside -= 1
    else next.resume()
  }
}
