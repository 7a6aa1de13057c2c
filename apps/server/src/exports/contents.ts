import type { ExportKind } from '@foyer/protocol/exports'
import { writeAccount } from './account/account.ts'
import type { Content } from './content-deps.ts'
import { writeSpace } from './space/space.ts'

/** How each kind of export is written. */
export const contents: Readonly<Record<ExportKind, Content>> = {
  account: writeAccount,
  space: writeSpace,
}
