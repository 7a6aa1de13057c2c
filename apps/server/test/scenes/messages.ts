import type { Message } from '@foyer/protocol/messages'
import { uploadFile } from '@foyer/sdk/uploads'
import type { Answer, Person } from './people.ts'
import { fileOf } from './pictures.ts'

/** A file that is what it says, and no image. */
export function note(text: string, name = 'note.txt'): File {
  return fileOf(text, name, 'text/plain')
}

/** Sends a form as a message. */
export function postForm(person: Person, roomId: string, form: FormData): Promise<Answer> {
  return person.call('POST', `/api/rooms/${roomId}/messages`, form)
}

/** Puts a file past the server; answers with its id for `attachment_ids`. */
export function putUpload(person: Person, roomId: string, file: File): Promise<string> {
  return uploadFile(person.client, roomId, file)
}

/** What a message's files are, in their order. */
export function namesOf({ attachments }: Pick<Message, 'attachments'>): string[] {
  return attachments.map(({ filename }) => filename)
}

/** `404 unknown_attachment`, or just the status of a success. */
export async function codeOf(answer: Promise<Answer>): Promise<number | string> {
  const { status, code } = await answer
  return code === null ? status : `${status} ${code}`
}
