import assert from 'node:assert/strict'
import type { Puzzle, PuzzleSolution } from '@foyer/protocol/puzzle'
import { solvePuzzle } from '@foyer/sdk/puzzle'
import type { Config } from '#src/config.ts'
import { startOwnServer, type TestServer } from '../server.ts'
import { send, sendSignUp } from './accounts.ts'

/** Number of sign-ups in five minutes that the server never treats as an attack. */
export const USUAL_SIGNUPS = 20

let count = 0

/** Returns an address that has sent no request yet. */
export function newAddress(): string {
  count += 1
  return `198.51.${Math.floor(count / 250)}.${count % 250}`
}

/** Settings of a server with rate limits that takes client addresses from a proxy header. */
export const crowded = { rateLimits: true, trustedProxies: ['127.0.0.1', '::1'] }

export function startCrowded(changes: Partial<Config> = {}): Promise<TestServer> {
  return startOwnServer({ ...crowded, ...changes })
}

/** Tries to create an account, with another name each time. @returns the error's code, or 200 */
export async function trySignUp(
  server: TestServer,
  fields: Record<string, unknown> = {},
  address = newAddress(),
): Promise<string | number> {
  count += 1
  const headers = { 'x-forwarded-for': address }
  const { status, code } = await sendSignUp(server, `person${count}`, fields, headers)
  return code ?? status
}

/** Creates USUAL_SIGNUPS accounts, spread over the servers. */
export async function signUpUsual(servers: readonly TestServer[]): Promise<void> {
  for (let done = 0; done < USUAL_SIGNUPS; done += 1) {
    const server = servers[done % servers.length]
    assert.ok(server !== undefined)
    assert.equal(await trySignUp(server), 200)
  }
}

export async function puzzleFor(server: TestServer, address = newAddress()): Promise<Puzzle | null> {
  const headers = { 'x-forwarded-for': address }
  return JSON.parse((await send(server, 'GET', '/api/auth/puzzle', { headers })).text).puzzle
}

export async function solutionFor(server: TestServer, address: string): Promise<PuzzleSolution> {
  const puzzle = await puzzleFor(server, address)
  assert.ok(puzzle !== null, 'there is a puzzle')
  return solvePuzzle(puzzle)
}
