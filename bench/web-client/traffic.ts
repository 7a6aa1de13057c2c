import { inGroups } from '../load/groups.ts'
import type { Reader } from './reader.ts'
import type { Room, Scene } from './scene.ts'

export interface Traffic {
  /** After each tenth of the events, garbage collected; what comes before the first fills what is kept on purpose. */
  readonly heaps: readonly number[]
  /** The page's work for one event. */
  readonly workMs: number
}

const AT_ONCE = 16
/** Until what is kept of an open room, and of deleted messages, is as full as it gets. */
const WARMING = 2
const PARTS = 10 + WARMING

/** Others talk, edit and delete, in the room that is open and in others. */
export async function hearTraffic(reader: Reader, scene: Scene, events: number): Promise<Traffic> {
  const heaps: number[] = []
  const each = Math.ceil(events / PARTS)
  let before = 0
  for (let part = 0; part < PARTS; part += 1) {
    if (part === WARMING) before = await reader.workSeconds()
    const numbers = Array.from({ length: each }, (_, index) => part * each + index)
    await inGroups(numbers, AT_ONCE, (number) => happen(scene, number))
    await hears(reader, scene, `That was part ${part}.`)
    if (part >= WARMING - 1) heaps.push(await reader.heapBytes())
  }
  const work = (await reader.workSeconds()) - before
  return { heaps, workMs: (work * 1000) / (each * (PARTS - WARMING)) }
}

/** One event: of twenty messages one is deleted after it was edited. */
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

async function hears({ page }: Reader, { writer, long }: Scene, text: string): Promise<void> {
  await writer.client.messages.create(long.id, { content: text })
  await page.getByRole('log').getByText(text, { exact: true }).waitFor()
}
