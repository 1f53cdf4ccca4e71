import {
  assigned,
  defineKind,
  element,
  everything,
  forget,
  get,
  getList,
  id,
  none,
  one,
  patch,
  plainly,
  post,
  set,
  string,
  textOf,
} from '@deploymgmt/provider/core'

/** A kind that the API does not have: endpoints show its things, and one creates them. */
export const team = defineKind({
  kind: 'team',
  section: 'teams',
  title: 'Team',
  summary: 'A team of an organization, and who is in it.',
  identity: assigned(['orgId'], 'teamId', {
    unlessDeclared: true,
    unique: ['name'],
    recognisedBy: ['name'],
  }),
  fields: {
    orgId: id('Organization of the team.', { place: 'organization' }).names(),
    teamId: id('An existing team to adopt. Without it, the team is created.')
      .names()
      .onTheWire('id')
      .optional(),
    name: string('Name of the team.', { minLength: 1 }),
    usernames: set(element.string, 'Who is in the team.'),
  },
  expand: one(),
  observe: everything(getList('/orgs/{orgId}/teams', 22), get('/orgs/{orgId}/teams/{teamId}', 23)),
  establish: {
    create: { operation: post('/orgs/{orgId}/teams', 24), lost: none('no event tells of a team') },
    adopt: { learnBy: [] },
  },
  write: patch('/orgs/{orgId}/teams/{teamId}', 25),
  fixed: none('what is shown of a team can be declared'),
  absence: none('this API has no call to delete a team'),
  lifetime: none('a team does not end by itself'),
  release: { forget },
  witness: none('no documented event names a team'),
  unmanaged: { foundBy: 'list', alsoNamedBy: ['name'], what: ({ name }) => `is the team ${textOf(name)}` },
  guards: [],
  adoption: plainly(({ name }) => [textOf(name)]),
  silences: none('a team does not affect alerts'),
  rules: [],
  docs: { example: 'teams: {}', notes: [] },
})
