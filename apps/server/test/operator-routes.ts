/** Routes of operators, as docs/SPEC.md has them: bots may use none. */
export const operatorRoutes = `
  POST /api/operator/claim
  GET /api/operator/operators
  PUT /api/operator/operators/{userId}
  POST /api/operator/operators/{userId}
  DELETE /api/operator/operators/{userId}
  GET /api/operator/log
  GET /api/operator/users
  PUT /api/operator/users/{userId}/lock
  POST /api/operator/users/{userId}/lock
  DELETE /api/operator/users/{userId}/lock
  DELETE /api/operator/users/{userId}
  GET /api/operator/spaces
  PUT /api/operator/spaces/{spaceId}/freeze
  POST /api/operator/spaces/{spaceId}/freeze
  DELETE /api/operator/spaces/{spaceId}/freeze
  DELETE /api/operator/spaces/{spaceId}
  GET /api/operator/registration
  PATCH /api/operator/registration
  PUT /api/operator/registration
  GET /api/operator/registrations
  POST /api/operator/registrations/{registrationId}/approve
  POST /api/operator/registrations/{registrationId}/refuse
  GET /api/operator/invites
  POST /api/operator/invites
  DELETE /api/operator/invites/{inviteId}`
