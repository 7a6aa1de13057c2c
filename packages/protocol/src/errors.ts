import { type Static, Type } from 'typebox'

/** The body of every error; its machine code is in the header `X-Error-Code`. */
export const ErrorBody = Type.Object({ error: Type.String() }, { title: 'Error' })
export type ErrorBody = Static<typeof ErrorBody>
