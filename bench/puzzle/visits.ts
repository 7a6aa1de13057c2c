import { hash } from 'node:crypto'
import type { Puzzle, SignupPuzzle } from '@foyer/protocol/puzzle'
import { solvePuzzle } from '@foyer/sdk/puzzle'
import type { Browser } from 'playwright-core'
import type { Foyer } from '../server/foyer.ts'

const PATIENCE_MS = 120_000
const PASSWORD = 'correct horse battery'

export interface Visit {
  /** Factor by which the page is slowed down; 1 for none. */
  slowdown: number
  /** Time that the user takes to fill in the form. */
  fillingMs: number
}

let addresses = 0
let accounts = 0
/** Ports of the servers that have their first account. */
const begun = new Set<number>()

/** Returns an address that has sent no request yet. */
export function newAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
}

export async function offerTo(foyer: Foyer, address: string): Promise<Puzzle> {
  await makeFirstAccount(foyer)
  const answer = await fetch(`${originOf(foyer)}/api/auth/puzzle`, {
    headers: { 'x-forwarded-for': address },
  })
  const { puzzle }: SignupPuzzle = await answer.json()
  if (puzzle === null) throw new Error('the server asks for no puzzle')
  return puzzle
}

/**
 * Creates accounts until the server treats them as an attack: 20 in five minutes.
 * @param most maximum number of accounts to create; 0 does nothing
 * @throws Error if the server still notices no attack
 */
export async function beginAttack(foyer: Foyer, most: number): Promise<void> {
  if (most === 0) return
  const { tries } = await offerTo(foyer, newAddress())
  for (let done = 0; done < most; done += 1) {
    const address = newAddress()
    const puzzle = await offerTo(foyer, address)
    if (puzzle.tries > tries) return
    await signUp(foyer, address, puzzle)
  }
  throw new Error('the server does not notice the attack')
}

/** Creates the first account of a server, which needs no puzzle. */
async function makeFirstAccount(foyer: Foyer): Promise<void> {
  if (begun.has(foyer.port)) return
  begun.add(foyer.port)
  await signUp(foyer, newAddress())
}

async function signUp(foyer: Foyer, address: string, puzzle?: Puzzle): Promise<void> {
  const solution = puzzle && (await solvePuzzle(puzzle, { digest }))
  const answer = await fetch(`${originOf(foyer)}/api/auth/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ ...newAccount(), puzzle: solution ?? null }),
  })
  if (!answer.ok) throw new Error(`no account: ${await answer.text()}`)
}

/** Hashes in this thread, which is faster than WebCrypto: WebCrypto computes each hash in another thread. */
async function digest(bytes: Uint8Array): Promise<Uint8Array> {
  return hash('sha256', bytes, 'buffer')
}

function newAccount() {
  accounts += 1
  const username = `person${accounts}`
  return { username, email: `${username}@example.org`, password: PASSWORD }
}

/** Creates an account in a new browser. @returns the seconds from submitting the form until the account exists */
export async function visit(browser: Browser, foyer: Foyer, { slowdown, fillingMs }: Visit): Promise<number> {
  const context = await browser.newContext({
    baseURL: originOf(foyer),
    serviceWorkers: 'block',
    extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
  })
  try {
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto('/')
    await page.getByRole('button', { name: 'Create an account' }).click()
    const { username, email, password } = newAccount()
    await page.getByRole('textbox', { name: 'Username' }).fill(username)
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password').fill(password)
    await page.waitForTimeout(fillingMs)
    const created = page.waitForResponse((answer) => answer.url().endsWith('/api/auth/signin') && answer.ok())
    const submitted = performance.now()
    await page.getByRole('button', { name: 'Create account', exact: true }).click()
    await created
    return (performance.now() - submitted) / 1000
  } finally {
    await context.close()
  }
}

function originOf({ port }: Foyer): string {
  return `http://127.0.0.1:${port}`
}
