import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { useInstance } from './use-instance.ts'

interface ApplicationSentProps {
  /** True if the user applied on the page of an invite. The invite has no effect until the account exists. */
  cameByInvite?: boolean
  onSignIn: () => void
}

/** Explains the next steps after an application for an account. */
export function ApplicationSent({ cameByInvite = false, onSignIn }: ApplicationSentProps) {
  const instance = useInstance()
  return (
    <AuthLayout
      title={t('Your application has been sent')}
      lead={t('The administrators of this server will look at it.')}
      takesFocus
    >
      {instance !== undefined && (
        <p className="auth-lead">
          {instance.has_mail
            ? t('We’ll email you when your account is ready. You can also try to sign in later.')
            : t('This server can’t send email. Try signing in later: you can once your account is ready.')}
        </p>
      )}
      {cameByInvite && <p className="auth-lead">{t('Then open your invite link again to join.')}</p>}
      <Button look="primary" onClick={onSignIn}>
        {t('Back to sign in')}
      </Button>
    </AuthLayout>
  )
}
