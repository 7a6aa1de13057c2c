import { randomInt } from 'node:crypto'

/** Letters and digits without those that people mistake for each other: 0 and O, 1, l and I. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 10

/** 58 random bits: too many to guess past the limit of lookups, or for two working invites to meet. */
export function newInviteCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
}
