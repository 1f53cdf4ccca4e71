import { defineKind, everything, forget, named, type Disagreement } from '../core/definition.ts'
import { oneOrOnly } from '../core/expansion.ts'
import { element, id, oneOf, set } from '../core/field.ts'
import { del, getList, none } from '../core/operation.ts'
import { textOf, type Values } from '../core/values.ts'
import { DELETABLE_INTEGRATIONS, INTEGRATIONS } from '../vocabulary.ts'

export default defineKind({
  kind: 'integration',
  section: 'integrations',
  title: 'Third-party integration',
  summary: 'States which third-party integrations a project must have, and which it must not.',
  identity: named(['projectId'], 'type', { keyInAnswer: 'type' }),
  fields: {
    projectId: id('Project that owns the integration.').names().onTheWire('groupId'),
    type: oneOf(INTEGRATIONS, 'integration type', 'The integrated service. Give this or `only`.')
      .names()
      .optional(),
    ensure: oneOf(['present', 'absent'], 'state of an integration', 'Whether it must be there or must not.')
      .local()
      .or('present'),
    only: set(
      element.oneOf(INTEGRATIONS, 'integration type'),
      'Types that may be there; any other one is deleted.',
    )
      .local()
      .optional(),
  },
  expand: oneOrOnly({ key: 'type', only: 'only', ensure: { field: 'ensure', absent: 'absent' } }),
  observe: everything(
    getList('/groups/{projectId}/integrations', 17),
    none('No endpoint reads one integration; the list shows them all.'),
  ),
  establish: {
    create: none(
      'This API has no call to create an integration.',
      'By hand: Project {projectId} → Integrations → {type}, then plan again.',
    ),
    adopt: { learnBy: [] },
  },
  write: none(
    'This API has no call to change an integration.',
    'By hand: Project {projectId} → Integrations → {type}.',
  ),
  absence: {
    operation: del('/groups/{projectId}/integrations/{type}', 18),
    deletable: DELETABLE_INTEGRATIONS,
    byHand: 'By hand: Project {projectId} → Integrations → {type} → Remove.',
  },
  lifetime: none('An integration does not end by itself.'),
  release: { forget },
  witness: none('No documented event names an integration.'),
  guards: [],
  rules: [
    {
      over: 'entry',
      check: ({ type, only }) =>
        (type === undefined) === (only === undefined)
          ? [{ path: [], message: 'give either type or only, and not both' }]
          : [],
    },
    { over: 'section', check: disagreements },
  ],
  docs: {
    example: `integrations:
  paging: { projectId: 5c8100bcf2a30b12ff88258f, type: PAGING, ensure: present }
  old-chat: { projectId: 5c8100bcf2a30b12ff88258f, type: CHAT_A, ensure: absent }
  nothing-else: { projectId: 5c8100bcf2a30b12ff88258f, only: [PAGING, WEBHOOK] }`,
    notes: [
      'A deletion cannot be undone: the service shows its secrets redacted, so that nothing could be put back.',
      'Deletions that follow from `only` need `--allow-delete`, also under `--auto-approve`; `ensure: absent` does not.',
      'A type that endpoint 18 does not list, or that is not known, is `blocked`.',
      'Secrets of an integration come redacted and are neither compared nor recorded.',
    ],
  },
})

/** Entries of one project that cannot both hold. */
function disagreements(entries: readonly Values[]): Disagreement[] {
  const found: Disagreement[] = []
  for (const [i, a] of entries.entries()) {
    for (const [j, b] of entries.entries()) {
      if (i === j || a['projectId'] !== b['projectId']) continue
      const allowed = b['only'] as readonly unknown[] | undefined
      if (a['ensure'] === 'present' && a['type'] !== undefined && allowed?.includes(a['type']) === false)
        found.push({
          entries: [i, j],
          message: `${textOf(a['type'])} must be present here, and is not among only there`,
        })
    }
  }
  return found
}
