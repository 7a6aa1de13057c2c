import { Administration } from '@foyer/sdk/api/administration'
import { awaitJobs } from '#test/outside/mailbox.ts'
import {
  edit,
  forward,
  pin,
  postByWebhook,
  postSticker,
  remove,
  removeWebhook,
  say,
  sayInThread,
} from './web-messages.ts'
import { appear, banOrForgive, block, deleteAccount, renamePerson } from './web-people.ts'
import {
  admit,
  changeEveryone,
  changeOpening,
  closeToWeb,
  deleteSpace,
  freeze,
  hide,
  openToWeb,
  passAWeek,
  removeRoom,
  renameRoom,
} from './web-rights.ts'
import type { Turn, WebScene } from './web-scene.ts'
import { answer, mark, merge, move, removeThread, rename, start } from './web-threads.ts'

type Change = (turn: Turn) => Promise<void>

const inSpace: readonly Change[] = [
  ...[say, say, say, say, remove, edit, pin, forward, postSticker, postByWebhook, removeWebhook],
  ...[start, start, start, sayInThread, sayInThread, sayInThread, answer, answer],
  ...[rename, removeThread, mark, move, move, merge],
  ...[appear, appear, appear, renamePerson, block, banOrForgive, deleteAccount],
  ...[openToWeb, openToWeb, openToWeb, openToWeb, openToWeb, openToWeb],
  ...[closeToWeb, changeOpening, passAWeek, hide, hide, changeEveryone],
  ...[admit, renameRoom, removeRoom, freeze, deleteSpace],
]
/** Number of latest changes to list when a comparison fails. */
const NOTED = 10
/** In a frozen space, members only read. */
const whileFrozen: readonly Change[] = [appear, block, freeze]
const whileDeleted: readonly Change[] = [appear, block, deleteSpace]

/** Opens all rooms of a space to the web. */
export async function openAll(scene: WebScene): Promise<void> {
  for (const room of scene.model.rooms) await openToWeb({ ...turnIn(scene), room })
}

/** Makes a random change that sends a request. Picks another one while the rules forbid the picked change. */
export async function changeWeb(scene: WebScene): Promise<void> {
  const { requests } = scene
  while (scene.requests === requests) {
    const change = scene.random.pick(changesOf(scene))
    const turn = turnIn(scene)
    const changes = [...scene.changes, `${scene.count} ${change.name}`].slice(-NOTED)
    await change(turn)
    if (scene.requests > requests) scene.changes = changes
  }
}

function turnIn(scene: WebScene): Turn {
  const { random, model } = scene
  const pick = <T>(list: readonly T[]): T | undefined => (list.length === 0 ? undefined : random.pick(list))
  scene.count += 1
  return {
    scene,
    room: random.pick(model.rooms),
    author: random.pick(model.cast),
    mentioned: random.pick(model.cast),
    old: pick(model.said),
    thread: pick(model.threads),
    token: `token${scene.count}x`,
  }
}

function changesOf({ model: { isDeleted, isFrozen } }: WebScene): readonly Change[] {
  if (isDeleted) return whileDeleted
  return isFrozen ? whileFrozen : inSpace
}

/** Allows or forbids public pages for all spaces, as an operator. */
export async function allow(scenes: readonly WebScene[], isAllowed: boolean): Promise<void> {
  const [scene] = scenes
  if (scene === undefined) return
  const { operator, servers, random } = scene
  const { client } = operator.at(random.pick(servers))
  await client.api(Administration).updatePublicPages({ public_pages: isAllowed })
  for (const { model } of scenes) model.isAllowed = isAllowed
  // Jobs publish the rooms again.
  await awaitJobs(servers[0])
}
