import { Annotations, Aspects, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { all, duplicate, literal, pairsOf, sameInstallation, type Conflict } from './conflict.ts'
import { alertConflicts, alertWarnings } from './conflicts-of-alerts.ts'
import { integrationConflicts } from './conflicts-of-integrations.ts'
import { ApiKey, User } from './generated/all.ts'
import { refusalAtSynthesis } from './secret.ts'

const watched = new WeakSet<TerraformStack>()

/**
 * At synthesis, compares the stack of a construct with everything that the app declares, and checks its passwords.
 * Terraform never compares resources: it would carry out both, one of them deleting what the other requires.
 */
export const watchForConflicts = (construct: IConstruct): void => {
  const stack = TerraformStack.of(construct)
  if (watched.has(stack)) return
  watched.add(stack)
  stack.node.addValidation({
    validate: () => [
      ...conflictsOf(stack).map(({ message }) => message),
      ...all(stack, User).flatMap(passwordRefused),
    ],
  })
  Aspects.of(stack).add({
    visit: (node) => {
      if (node === stack) warn(alertWarnings(stack).filter(together))
    },
  })
}

/** Whoever declares a user: the output of synthesis is a file, and so is a saved plan. */
const passwordRefused = (user: User): string[] => {
  const { passwordInput } = user
  const refusal = passwordInput === undefined ? undefined : refusalAtSynthesis(user, passwordInput)
  return refusal === undefined ? [] : [`${user.node.path}: password: ${refusal}`]
}

const warn = (conflicts: readonly Conflict[]): void => {
  for (const { between, message } of conflicts) {
    const [{ node }] = between
    // A stack may be synthesized again, for example by a test.
    if (node.metadata.every(({ data }) => data !== message)) Annotations.of(between[0]).addWarning(message)
  }
}

/** Each stack reports the conflicts of its own resources, so the order of stacks does not matter. */
const conflictsOf = (stack: TerraformStack): Conflict[] =>
  [
    ...alertConflicts(stack),
    ...integrationConflicts(stack),
    ...keyConflicts(stack),
    ...userConflicts(stack),
  ].filter(together)

const together = ({ between }: Conflict): boolean => sameInstallation(...between)

const userConflicts = (stack: TerraformStack): Conflict[] => {
  const by = (noun: string, valueOf: (user: User) => string | undefined): Conflict[] =>
    pairsOf(stack, User, valueOf).map(([user, earlier]) =>
      duplicate(user, earlier, `${noun} ${valueOf(user) ?? ''}; a user has one list of roles`),
    )
  return [
    ...by('user', ({ userIdInput }) => literal(userIdInput)),
    ...by('username', ({ usernameInput }) => literal(usernameInput)),
  ]
}

const keyConflicts = (stack: TerraformStack): Conflict[] =>
  pairsOf(stack, ApiKey, ({ apiKeyIdInput }) => literal(apiKeyIdInput)).map(([key, earlier]) =>
    duplicate(key, earlier, `API key ${literal(key.apiKeyIdInput) ?? ''}`),
  )
