/** Each with a contrast of at least 4.5 : 1 to its backgrounds, in both themes. */
const LIGHT = `color-scheme: light;
--ground: #f7f6f3; --sheet: #ffffff; --ink: #1f1e1b; --soft: #5d5952; --line: #e3dfd7; --hover: #faf9f6; --accent: #1d4f91; --field: #8b867c;
--bad: #a8201a; --bad-ground: #fcebe9; --warn: #7d4a00; --warn-ground: #fbf0da; --doubt: #63359b; --doubt-ground: #f3ecfb;
--good: #17633a; --good-ground: #e5f3ea; --info: #1d4f91; --info-ground: #e8f0fa; --mute: #5d5952; --mute-ground: #efece6;`

const DARK = `color-scheme: dark;
--ground: #131416; --sheet: #1b1d20; --ink: #e8e6e1; --soft: #a8a49b; --line: #303338; --hover: #212428; --accent: #8fbaf5; --field: #7c7f86;
--bad: #ff9a91; --bad-ground: #3b1d1b; --warn: #f0bd62; --warn-ground: #352810; --doubt: #cdadfb; --doubt-ground: #2b2140;
--good: #84d6a0; --good-ground: #15301f; --info: #8fbaf5; --info-ground: #182a44; --mute: #a8a49b; --mute-ground: #27292d;`

/** The reader's preference, unless the switch says otherwise; paper is white. */
export const COLOURS = `:root { ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${DARK} } }
@media screen { :root[data-theme='dark'] { ${DARK} } }
.bad { --tone: var(--bad); --tint: var(--bad-ground); }
.warn { --tone: var(--warn); --tint: var(--warn-ground); }
.doubt { --tone: var(--doubt); --tint: var(--doubt-ground); }
.good { --tone: var(--good); --tint: var(--good-ground); }
.info { --tone: var(--info); --tint: var(--info-ground); }
.mute { --tone: var(--mute); --tint: var(--mute-ground); }`
