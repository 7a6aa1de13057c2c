import { type Static, Type } from 'typebox'
import { Nullable } from './schema.ts'

export const mailTestOutcomes = ['accepted', 'refused', 'failed', 'saved'] as const
export type MailTestOutcome = (typeof mailTestOutcomes)[number]

/** The result of a mail to the operator's own address. */
export const MailTest = Type.Object(
  {
    outcome: Type.Unsafe<MailTestOutcome>({
      type: 'string',
      enum: mailTestOutcomes,
      description:
        'accepted or refused by the mail server; failed before that; saved as a file, as the server sends no mails',
    }),
    to: Type.String({ description: 'the address of the caller' }),
    says: Type.String({ description: 'the answer of the mail server, or the error; empty if saved' }),
  },
  { title: 'MailTest' },
)
export type MailTest = Static<typeof MailTest>

export const pushTestOutcomes = ['sent', 'gone', 'later', 'refused', 'skipped', 'unanswered'] as const
export type PushTestOutcome = (typeof pushTestOutcomes)[number]

/** The result of a notification to each of the operator's own devices. */
export const PushTest = Type.Object(
  {
    devices: Type.Array(
      Type.Object({
        user_agent: Type.String({ description: 'of the login' }),
        host: Type.String({ description: 'the push service' }),
        outcome: Type.Unsafe<PushTestOutcome>({
          type: 'string',
          enum: pushTestOutcomes,
          description:
            'gone: the browser has unsubscribed; later: the push service is busy; skipped: it has not answered for a while',
        }),
        status: Nullable(Type.Integer({ description: 'with which the push service refused it' })),
      }),
    ),
  },
  { title: 'PushTest' },
)
export type PushTest = Static<typeof PushTest>

/** The findings of `npm run doctor` about voice. */
export const VoiceTest = Type.Object(
  {
    findings: Type.Array(
      Type.Object({
        what: Type.String(),
        verdict: Type.Unsafe<'good' | 'bad' | 'note'>({ type: 'string', enum: ['good', 'bad', 'note'] }),
        says: Type.String(),
        remedy: Nullable(Type.String()),
      }),
    ),
  },
  { title: 'VoiceTest' },
)
export type VoiceTest = Static<typeof VoiceTest>
