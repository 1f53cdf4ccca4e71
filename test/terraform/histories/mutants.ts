import type { Mutant } from '../../world/mutants.ts'

/** Defects that the histories of the Terraform provider have to find. */
export const terraformMutants: readonly Mutant[] = [
  {
    name: 'a saved plan of Terraform overwrites later changes',
    file: 'provider/terraform/resource/stale.ts',
    from: "kept.is !== 'remembered') return []",
    to: "kept.is === 'remembered') return []",
  },
  {
    name: 'a destroy undoes what another resource declares',
    file: 'provider/terraform/resource/claimed.ts',
    from: 'return identity === undefined\n    ? []',
    to: 'return identity !== undefined\n    ? []',
  },
  {
    name: 'the result of a lost creation is not looked for',
    file: 'provider/terraform/resource/lost-creation.ts',
    from: 'return ended !== undefined && effects.length > 0',
    to: 'return ended !== undefined && effects.length > 1',
  },
  {
    name: 'lost creations are settled one by one',
    file: 'provider/terraform/resource/lost-creation.ts',
    from: 'open.filter(({ kind }) => kind === write.kind)',
    to: 'open.filter((each) => each === write)',
  },
  {
    name: 'Terraform forgets the values at adoption',
    file: 'provider/terraform/codec/private-state.ts',
    from: "const adopted = record.adopted === 'answer' ? answer :",
    to: "const adopted = record.adopted === 'answer' ? null :",
  },
  {
    name: 'a read keeps a value that somebody else has changed',
    file: 'provider/terraform/resource/read.ts',
    from: '...Object.fromEntries(doubtful.map((name) => [name, undefined])),',
    to: '...Object.fromEntries(doubtful.slice(0, 0).map((name) => [name, undefined])),',
  },
  {
    name: 'a refresh shows the former value',
    file: 'provider/terraform/resource/read.ts',
    from: '...differingFrom(state, definition, writableIn(definition, live)),',
    to: '',
  },
  {
    name: 'two resources may want different values of one thing',
    file: 'provider/terraform/resource/claimed.ts',
    from: 'other === undefined || field === undefined ? []',
    to: 'other === undefined || field !== undefined ? []',
  },
]
