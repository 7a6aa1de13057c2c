import { Capability } from '@foyer/protocol/capabilities'
import { has, type RightFlags } from '@foyer/protocol/permissions'
import { ApiError } from '#src/kernel/errors.ts'

/** Parts of a message, each of which needs a right of its own. */
interface Parts {
  readonly files?: readonly unknown[]
  readonly embeds?: readonly unknown[] | null | undefined
}

/** @throws ApiError 403 for files without AttachFiles, and for embeds without EmbedLinks */
export function checkParts({ capabilities }: RightFlags, { files = [], embeds }: Parts): void {
  const needed = [
    files.length > 0 ? Capability.AttachFiles : 0,
    (embeds ?? []).length > 0 ? Capability.EmbedLinks : 0,
  ]
  if (!needed.every((flag) => has(capabilities, flag))) throw new ApiError('missing_permission')
}
