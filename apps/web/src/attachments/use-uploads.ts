import { useMemo } from 'react'
import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import type { FileUpload, UploadsState } from './upload-state.ts'

/** What `select` answers from the uploads; it must answer the same object while nothing changed. */
export function useUploads<T>(select: (state: UploadsState) => T): T {
  return useStore(useSession().uploads.api, select)
}

/** Those of these uploads that are still there, in their order. */
export function useUploadsOf(ids: readonly string[]): readonly FileUpload[] {
  const uploads = useUploads((state) => state.uploads)
  return useMemo(() => ids.flatMap((id) => uploads[id] ?? []), [ids, uploads])
}

const NONE: readonly string[] = []

/** The files of the message that is being written in a room. */
export function useDraftUploads(roomId: string): readonly FileUpload[] {
  return useUploadsOf(useUploads((state) => state.drafts[roomId] ?? NONE))
}
