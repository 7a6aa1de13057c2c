import { inGroups } from '../load/groups.ts'
import type { Reader } from './reader.ts'
import type { Room, Scene } from './scene.ts'

export interface Traffic {
  /** Heap in bytes after garbage collection: once the caches are full, and after each tenth of the events that follow. */
  readonly heaps: readonly number[]
  /** Milliseconds of the page's work for one event. */
  readonly workMs: number
}

const AT_ONCE = 16
/** Number of parts of the events that only fill the caches of open rooms and deleted messages. */
const WARMING = 2
const PARTS = 10 + WARMING

/** Lets others send, edit and delete messages, in the open room and in others. */
export async function receiveTraffic(reader: Reader, scene: Scene, events: number): Promise<Traffic> {
  const heaps: number[] = []
  const each = Math.ceil(events / PARTS)
  let before = 0
  for (let part = 0; part < PARTS; part += 1) {
    if (part === WARMING) before = await reader.workSeconds()
    const numbers = Array.from({ length: each }, (_, index) => part * each + index)
    await inGroups(numbers, AT_ONCE, (number) => happen(scene, number))
    await waitUntilShown(reader, scene, `That was part ${part}.`)
    if (part >= WARMING - 1) heaps.push(await reader.heapBytes())
  }
  const work = (await reader.workSeconds()) - before
  return { heaps, workMs: (work * 1000) / (each * (PARTS - WARMING)) }
}

/** Causes one event. One message in twenty is edited and deleted. */
async function happen({ writer, long, short }: Scene, number: number): Promise<void> {
  const { client } = writer
  const rooms: readonly Room[] = [long, ...short]
  const room = number % 2 === 0 ? long : (rooms[number % rooms.length] ?? long)
  const isLast = number % 20 === 19
  const { id } = await client.messages.create(room.id, { content: `Event ${number} of a long day.` })
  if (!isLast) return
  await client.messages.update(room.id, id, { content: `Event ${number}, in other words.` })
  await client.messages.delete(room.id, id)
}

async function waitUntilShown({ page }: Reader, { writer, long }: Scene, text: string): Promise<void> {
  await writer.client.messages.create(long.id, { content: text })
  await page.getByRole('log').getByText(text, { exact: true }).waitFor()
}
