import { Annotations, Aspects, TerraformStack } from 'cdktf'
import type { IConstruct } from 'constructs'
import { all, double, groups, literal, pairs, sameInstallation, type Conflict } from './conflict.ts'
import { alertConflicts, alertWarnings } from './conflicts-of-alerts.ts'
import { integrationConflicts } from './conflicts-of-integrations.ts'
import { AlertConfiguration, ApiKey, Integration, User } from './generated/all.ts'
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
      ...about(stack, conflictsIn(stack.node.root)).map(({ message }) => message),
      ...all(stack, User).flatMap(passwordRefused),
    ],
  })
  Aspects.of(stack).add({
    visit: (node) => {
      if (node === stack) warn(about(stack, warningsIn(stack.node.root)))
    },
  })
}

/** Whoever declares a user: the output of synthesis is a file, and so is a saved plan. */
const passwordRefused = (user: User): string[] => {
  const { passwordInput } = user
  const refusal = passwordInput === undefined ? undefined : refusalAtSynthesis(user, passwordInput)
  return refusal === undefined ? [] : [`${user.node.path}: password: ${refusal}`]
}

/** Each stack reports the conflicts of its own resources, so the order of stacks does not matter. */
const about = (stack: TerraformStack, conflicts: readonly Conflict[]): readonly Conflict[] =>
  conflicts.filter(({ between }) => between.some((resource) => TerraformStack.of(resource) === stack))

const warn = (conflicts: readonly Conflict[]): void => {
  for (const { between, message } of conflicts) {
    const [{ node }] = between
    // A stack may be synthesized again, for example by a test.
    if (node.metadata.every(({ data }) => data !== message)) Annotations.of(between[0]).addWarning(message)
  }
}

const conflictsIn = (root: IConstruct): Conflict[] =>
  [
    ...alertConflicts(all(root, AlertConfiguration)),
    ...integrationConflicts(all(root, Integration)),
    ...keyConflicts(all(root, ApiKey)),
    ...userConflicts(all(root, User)),
  ].filter(together)

const warningsIn = (root: IConstruct): Conflict[] =>
  alertWarnings(all(root, AlertConfiguration)).filter(together)

const together = ({ between }: Conflict): boolean => sameInstallation(...between)

const userConflicts = (users: readonly User[]): Conflict[] => {
  const by = (noun: string, valueOf: (user: User) => string | undefined): Conflict[] =>
    groups(users, valueOf).flatMap((same) =>
      pairs(same).map(([user, earlier]) =>
        double(user, earlier, `${noun} ${valueOf(user) ?? ''}; a user has one list of roles`),
      ),
    )
  return [
    ...by('user', ({ userIdInput }) => literal(userIdInput)),
    ...by('username', ({ usernameInput }) => literal(usernameInput)),
  ]
}

const keyConflicts = (keys: readonly ApiKey[]): Conflict[] =>
  groups(keys, ({ apiKeyIdInput }) => literal(apiKeyIdInput)).flatMap((same) =>
    pairs(same).map(([key, earlier]) => double(key, earlier, `API key ${literal(key.apiKeyIdInput) ?? ''}`)),
  )
