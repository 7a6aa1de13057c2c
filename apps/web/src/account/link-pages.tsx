import { Route, Switch } from 'wouter'
import { ConfirmPage } from '#src/auth/confirm-page.tsx'
import { ForgotPasswordPage } from '#src/auth/forgot-password-page.tsx'
import { ResetPasswordPage } from '#src/auth/reset-password-page.tsx'
import { WayBackPage } from './way-back/way-back-page.tsx'

/** The pages of links in mails about the account, and the page that asks for one. */
export function LinkPages() {
  return (
    <Switch>
      <Route path="/verify">
        <ConfirmPage purpose="verify" />
      </Route>
      <Route path="/change-email">
        <ConfirmPage purpose="change-email" />
      </Route>
      <Route path="/reset-password">
        <ResetPasswordPage />
      </Route>
      <Route path="/forgot-password">
        <ForgotPasswordPage />
      </Route>
      <Route path="/way-back">
        <WayBackPage />
      </Route>
    </Switch>
  )
}
