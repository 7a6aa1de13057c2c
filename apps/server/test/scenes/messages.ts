import type { Message } from '@foyer/protocol/messages'
import { uploadFile } from '@foyer/sdk/uploads'
import type { Answer, Person } from './people.ts'
import { fileOf } from './pictures.ts'

/** Returns a text file. */
export function note(text: string, name = 'note.txt'): File {
  return fileOf(text, name, 'text/plain')
}

/** Posts a message with a multipart body. */
export function postForm(person: Person, roomId: string, form: FormData): Promise<Answer> {
  return person.call('POST', `/api/rooms/${roomId}/messages`, form)
}

/** Uploads a file directly to the storage, and returns its id for `attachment_ids`. */
export function putUpload(person: Person, roomId: string, file: File): Promise<string> {
  return uploadFile(person.client, roomId, file)
}

/** Returns the names of a message's files, in order. */
export function namesOf({ attachments }: Pick<Message, 'attachments'>): string[] {
  return attachments.map(({ filename }) => filename)
}

/** Returns the status and code of an error, like `404 unknown_attachment`, or just the status of a success. */
export async function codeOf(answer: Promise<Answer>): Promise<number | string> {
  const { status, code } = await answer
  return code === null ? status : `${status} ${code}`
}
