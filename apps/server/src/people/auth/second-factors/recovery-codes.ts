import { randomInt } from 'node:crypto'
import { Macs } from '#src/kernel/secrets/macs.ts'

const COUNT = 10
/** Letters and digits that are not mistaken for each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 10

/** Computes the MACs of recovery codes. Each code replaces the authenticator app once. */
export class RecoveryCodeMacs {
  readonly #macs: Macs

  constructor(secretKey: string) {
    this.#macs = new Macs(secretKey, 'foyer recovery codes')
  }

  /** @param code as the user typed it */
  of(userId: string, code: string): string {
    return this.#macs.of(`${userId} ${plain(code)}`)
  }
}

/** @returns ten codes like `abcde-fghjk` */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`
  })
}

/** Returns a typed code without spaces and hyphens, in lower case. */
export function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase()
}
