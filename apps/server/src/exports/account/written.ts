import type { Place } from '#src/channels/place.ts'
import type { ListedFile } from './files.ts'
import type { OwnMessage } from './queries.ts'

/** A channel whose messages of the person were written to the archive. */
export interface WrittenPlace {
  place: Place
  name: string
  messages: number
  /** Path of the first page in the archive. */
  path: string
}

export interface WrittenMessage extends OwnMessage {
  files: readonly ListedFile[]
}

export interface PageFacts {
  /** Name of the room or conversation. */
  name: string
  folder: string
  number: number
  isLast: boolean
}

/** A file with rows of one kind. */
export interface WrittenSection {
  title: string
  path: string
  rows: number
}
