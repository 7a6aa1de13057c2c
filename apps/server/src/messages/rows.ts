/** Where messages stand: a room of a space. */
export interface Place {
  readonly spaceId: string
  readonly roomId: string
}

export interface MessageRow {
  id: string
  seq: number
  author_id: string
  type: number
  content: string
  flags: number
  pinned: boolean
  nonce: string | null
  created_at: string
  edited_at: string | null
  sticker_ids: string[] | null
  /** Whether attachments name it. */
  has_files: boolean
}
