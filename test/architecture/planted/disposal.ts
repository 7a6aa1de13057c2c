import { awaitedReturns } from '../disposal.ts'
import type { Plant } from '../rule.ts'

export const disposalPlants: readonly Plant[] = [
  plant(
    'a promise leaves the block of `await using`',
    'async function a() { await using form = b()\n return store(form) }',
    'async function a() { await using form = b()\n return await store(form) }',
  ),
  plant(
    'it leaves an inner block',
    'async function a() { await using form = b()\n if (form) { return store(form) } }',
    'async function a() { await using form = b()\n go(() => { return store(form) })\n return reply.send(1) }',
  ),
]

function plant(because: string, bad: string, good: string): Plant {
  const path = 'bin/a.ts'
  return {
    rule: awaitedReturns,
    because,
    breaks: { [path]: bad },
    at: [`${path}:2`],
    keeps: { [path]: good },
  }
}
