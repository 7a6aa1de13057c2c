import type { Attachment } from '@foyer/protocol/attachments'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useSession } from '#src/session/context.ts'
import { type FileUpload, type UploadsState, uploadOf } from '../transfer/upload-state.ts'

/**
 * Returns a selection of the uploads. Their progress changes many times a second, so the comparison is shallow: only
 * components that show a changed upload render again.
 */
function useUploads<T>(select: (state: UploadsState) => readonly T[]): readonly T[] {
  return useStore(useSession().uploads.api, useShallow(select))
}

/** Returns the uploads with these ids that still exist, in this order. */
export function useUploadsOf(ids: readonly string[]): readonly FileUpload[] {
  return useUploads(({ uploads }) => ids.flatMap((id) => uploads[id] ?? []))
}

/** Returns the uploads of the draft with this key. */
export function useDraftUploads(key: string): readonly FileUpload[] {
  return useUploads(({ uploads, drafts }) => (drafts[key] ?? []).flatMap((id) => uploads[id] ?? []))
}

/** Returns the upload that each attachment came from, if it is still in memory. */
export function useOwnUploads(attachments: readonly Attachment[]): readonly (FileUpload | undefined)[] {
  return useUploads((state) => attachments.map(({ id }) => uploadOf(state, id)))
}
