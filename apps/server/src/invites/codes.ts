import { randomInt } from 'node:crypto'

/** Letters and digits without 0 and O, 1, l and I, which people confuse. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 10

/**
 * 58 random bits: too many to guess within the rate limit, or for two valid invites to collide. One character is a
 * capital, which distinguishes codes from the names of invites, because names match in any case.
 */
export function newInviteCode(): string {
  const code = randomCode()
  return /[A-Z]/.test(code) ? code : newInviteCode()
}

function randomCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
}
