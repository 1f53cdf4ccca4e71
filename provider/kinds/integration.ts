import { plainly } from '../core/adoption.ts'
import { defineKind, everything, forget, named } from '../core/definition.ts'
import { oneOrOnly } from '../core/expansion.ts'
import { element, id, oneOf, set } from '../core/field.ts'
import { del, getList, none } from '../core/operation.ts'
import { sentence } from '../core/sentence.ts'
import type { Disagreement } from '../core/rule.ts'
import { textOf, type Values } from '../core/values.ts'
import { DELETABLE_INTEGRATIONS, INTEGRATIONS } from '../vocabulary.ts'

export default defineKind({
  kind: 'integration',
  section: 'integrations',
  title: 'Third-party integration',
  summary: 'Declares which third-party integrations a project must have, and which it must not have.',
  identity: named(['projectId'], 'type', { keyInAnswer: 'type' }),
  fields: {
    projectId: id('Project that owns the integration.', { place: 'project' }).names().onTheWire('groupId'),
    type: oneOf(INTEGRATIONS, 'integration type', 'The integrated service. Give this or `only`.')
      .names()
      .optional(),
    ensure: oneOf(
      ['present', 'absent'],
      'state of an integration',
      'Whether the integration must exist or must not exist.',
    )
      .local()
      .or('present'),
    only: set(
      element.oneOf(INTEGRATIONS, 'integration type'),
      'Types that are allowed to exist; all others are deleted.',
    )
      .local()
      .optional(),
  },
  expand: oneOrOnly({
    key: 'type',
    ensure: { field: 'ensure', absent: 'absent', present: 'present' },
    members: {
      by: 'only',
      are: 'deleted',
      field: 'ensure',
      map: 'forbidden',
      summary: 'The existing types that `only` does not allow and that the API can delete.',
    },
  }),
  observe: everything(
    getList('/groups/{projectId}/integrations', 17),
    none('no endpoint reads one integration; the list shows them all'),
  ),
  establish: {
    create: none(
      'this API has no call to create an integration',
      'By hand: Project {projectId} → Integrations → {type}, then plan again.',
    ),
    adopt: { learnBy: [] },
  },
  write: none(
    'this API has no call to change an integration',
    'By hand: Project {projectId} → Integrations → {type}.',
  ),
  fixed: none('no field of an integration can be changed'),
  absence: {
    operation: del('/groups/{projectId}/integrations/{type}', 18),
    deletable: DELETABLE_INTEGRATIONS,
    unlisted: '--allow-delete',
    byHand: 'By hand: Project {projectId} → Integrations → {type} → Remove.',
  },
  lifetime: none('an integration does not end by itself'),
  release: { forget },
  witness: none('no documented event names an integration'),
  unmanaged: {
    foundBy: 'list',
    alsoNamedBy: [],
    what: ({ type }) => `integrates ${textOf(type)}`,
  },
  guards: [],
  adoption: {
    ...plainly(({ type }) => [textOf(type)]),
    isOff: ({ enabled }) => enabled === false,
    whereAdded: 'a plan is blocked there until somebody has set up what its entry says',
    remarks: ({ enabled, type }) => [
      ...(enabled === false ? ['off'] : []),
      ...((DELETABLE_INTEGRATIONS as readonly unknown[]).includes(type)
        ? []
        : ['this API has no call that deletes it']),
    ],
  },
  silences: none('an integration exists or not, not for a limited time'),
  rules: [
    {
      over: 'presence',
      reads: ['type', 'only'],
      check: ({ type, only }) =>
        (type === undefined) === (only === undefined)
          ? [
              {
                path: [],
                text: 'give one of {.type} and {.only}: exactly one of them says what is declared',
              },
            ]
          : [],
    },
    {
      over: 'presence',
      reads: ['only', 'ensure'],
      check: ({ only, ensure }) =>
        only === undefined || ensure !== 'absent'
          ? []
          : [
              {
                path: ['ensure'],
                text: '{.ensure} applies to one {.type}; {.only} deletes every type that it does not name',
              },
            ],
    },
    {
      over: 'section',
      reads: ['projectId', 'type', 'ensure', 'only'],
      check: (entries) => disagreements(entries),
    },
  ],
  docs: {
    example: `integrations:
  paging: { projectId: 5c8100bcf2a30b12ff88258f, type: PAGING, ensure: present }
  old-chat: { projectId: 5c8100bcf2a30b12ff88258f, type: CHAT_A, ensure: absent }
  nothing-else: { projectId: 5c8100bcf2a30b12ff88258f, only: [PAGING, WEBHOOK] }`,
    notes: [
      'A deletion cannot be undone: the service shows secrets only redacted, so the integration could not be restored.',
      'Deletions that follow from `only` need `--allow-delete`, also under `--auto-approve`; `ensure: absent` does not need it.',
      'A type that endpoint 18 does not list, or that is not known, is `blocked`.',
      'The service returns the secrets of an integration redacted. They are neither compared nor recorded.',
    ],
  },
})

/** Entries of one project that contradict each other. */
const disagreements = (entries: readonly Values[]): Disagreement[] => {
  const indexed = entries.map((values, index): Indexed => ({ values, index }))
  const byProject = Map.groupBy(indexed, ({ values }) => values['projectId'])
  return [...byProject.values()].flatMap((project) => {
    // An entry with both is invalid by itself.
    const lists = project.filter(({ values }) => values['only'] !== undefined && values['type'] === undefined)
    const demands = project.filter(
      ({ values: { type, only, ensure } }) =>
        type !== undefined && only === undefined && ensure === 'present',
    )
    const [first, ...others] = lists
    if (first === undefined) return []
    return [
      ...[...Map.groupBy(demands, ({ values }) => values['type'])].flatMap(([type, those]) =>
        demandsAgainst(type, those, lists),
      ),
      // A project has one list: each that differs from the first is named.
      ...others.flatMap((other) => listAgainst(first, other)),
    ]
  })
}

interface Indexed {
  readonly values: Values
  readonly index: number
}

const allowedBy = ({ values }: Indexed): readonly unknown[] => values['only'] as readonly unknown[]

const demandsAgainst = (
  type: unknown,
  demands: readonly Indexed[],
  lists: readonly Indexed[],
): Disagreement[] => {
  const list = lists.find((each) => !allowedBy(each).includes(type))
  if (list === undefined) return []
  return demands.map(({ index }) => ({
    entries: [index, list.index],
    ...sentence`${textOf(type)} must be present here, but is not in {.only} there`,
  }))
}

const listAgainst = (list: Indexed, other: Indexed): Disagreement[] => {
  const refused = [
    ...allowedBy(list).filter((type) => !allowedBy(other).includes(type)),
    ...allowedBy(other).filter((type) => !allowedBy(list).includes(type)),
  ]
  return refused.map((type) => ({
    entries: [other.index, list.index],
    ...sentence`${textOf(type)} is allowed by one {.only} of this project but not by the other; a project has one list`,
  }))
}
