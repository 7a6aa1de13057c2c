import type { Attachment } from '@foyer/protocol/attachments'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { useSession } from '#src/session/context.ts'
import { type FileUpload, type UploadsState, uploadOf } from './upload-state.ts'

/**
 * What `select` picks from the uploads. Their progress is told many times a second: whoever shows others of them, or none,
 * must not be drawn for that.
 */
function useUploads<T>(select: (state: UploadsState) => readonly T[]): readonly T[] {
  return useStore(useSession().uploads.api, useShallow(select))
}

/** Those of these uploads that are still there, in their order. */
export function useUploadsOf(ids: readonly string[]): readonly FileUpload[] {
  return useUploads(({ uploads }) => ids.flatMap((id) => uploads[id] ?? []))
}

/** The files of the message that is being written, in the draft with this key. */
export function useDraftUploads(key: string): readonly FileUpload[] {
  return useUploads(({ uploads, drafts }) => (drafts[key] ?? []).flatMap((id) => uploads[id] ?? []))
}

/** For each attachment the upload that it came from, while this browser remembers. */
export function useOwnUploads(attachments: readonly Attachment[]): readonly (FileUpload | undefined)[] {
  return useUploads((state) => attachments.map(({ id }) => uploadOf(state, id)))
}
