import type { SpaceImage } from '@foyer/protocol/space-images'
import { t } from '#src/language/texts.ts'
import { type Emoji, type EmojiGroup, withTone } from './emoji-data.ts'
import { searchEmojis, searchNames } from './emoji-search.ts'

/** An emoji or sticker in the picker. */
export interface Tile {
  /** The Unicode emoji without a skin tone, or the id of a custom emoji or sticker. */
  readonly key: string
  readonly label: string
  /** The text to insert into a message. */
  readonly text: string
  /** Attachment of a custom emoji or sticker. Without one, the tile shows its text. */
  readonly pictureId: string | null
}

export interface TileGroup {
  readonly id: string
  readonly label: string
  readonly tiles: readonly Tile[]
}

/** A space with custom emojis. */
export interface EmojiSpace {
  readonly id: string
  readonly name: string
  readonly emojis: readonly SpaceImage[]
}

interface Source {
  readonly groups: readonly EmojiGroup[]
  /** Spaces whose custom emojis can be used. */
  readonly spaces: readonly EmojiSpace[]
  readonly tone: number
}

/** Returns the groups of the picker: recently used, custom emojis per space, Unicode. */
export function tileGroups(source: Source, recent: readonly string[]): TileGroup[] {
  const own = source.spaces.map(({ id, name, emojis }) => groupOf(id, name, emojis))
  const unicode = source.groups.map(({ id, label, emojis }) => ({
    id,
    label,
    tiles: emojis.map((emoji) => emojiTile(emoji, source.tone)),
  }))
  const all = new Map([...own, ...unicode].flatMap(({ tiles }) => tiles.map((tile) => [tile.key, tile])))
  const used = recent.map((key) => all.get(key)).filter((tile) => tile !== undefined)
  const groups = [{ id: 'recent', label: t('Recently used'), tiles: used }, ...own, ...unicode]
  return groups.filter(({ tiles }) => tiles.length > 0)
}

/** Returns the search results, custom emojis first. */
export function foundGroups({ groups, spaces, tone }: Source, query: string): TileGroup[] {
  const own = spaces.map(({ id, name, emojis: all }) => groupOf(id, name, searchNames(all, query)))
  const emojis = searchEmojis(
    groups.flatMap((group) => group.emojis),
    query,
  )
  const found = [
    ...own,
    { id: 'found', label: t('Emoji'), tiles: emojis.map((emoji) => emojiTile(emoji, tone)) },
  ]
  return found.filter(({ tiles }) => tiles.length > 0)
}

function groupOf(spaceId: string, label: string, images: readonly SpaceImage[]): TileGroup {
  return { id: `space-${spaceId}`, label, tiles: images.map(imageTile) }
}

/** Returns the tile of a custom emoji or sticker. */
export function imageTile({ id, name, attachment_id }: SpaceImage): Tile {
  return { key: id, label: `:${name}:`, text: `<:${name}:${id}>`, pictureId: attachment_id }
}

function emojiTile(emoji: Emoji, tone: number): Tile {
  return { key: emoji.text, label: emoji.label, text: withTone(emoji, tone), pictureId: null }
}
