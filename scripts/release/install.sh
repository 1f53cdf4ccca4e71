#!/usr/bin/env bash
# Run by action.yml: downloads the files of a release for this runner, verifies checksums and signature, puts the command
# on PATH, and unpacks the provider into a mirror that Terraform then uses.
set -euo pipefail

fail() {
  echo "deploymgmt: $1" >&2
  exit 1
}

case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) platform=linux_amd64 archive=tar.gz ;;
  Linux-ARM64) platform=linux_arm64 archive=tar.gz ;;
  Windows-X64) platform=windows_amd64 archive=zip ;;
  *) fail "there is no executable for $RUNNER_OS on $RUNNER_ARCH; install the package deploymgmt by npm." ;;
esac
case "$VERSION" in
  '' | *[!0-9A-Za-z.+-]*) fail "'$VERSION' is no version." ;;
esac

# On Windows, the runner gives paths with backslashes.
temp=${RUNNER_TEMP//\\//}
folder="$temp/deploymgmt-$VERSION"
files="$folder/files"
mkdir -p "$files"
command="deploymgmt_${VERSION}_$platform.$archive"
provider="terraform-provider-deploymgmt_${VERSION}_$platform.zip"

fetch() {
  case "$RELEASE" in
    https://*) curl --proto '=https' --fail --silent --show-error --location --retry 3 --output "$files/$1" "${RELEASE%/}/$1" ;;
    *://*) fail "'$RELEASE' is not https." ;;
    *) cp "${RELEASE%/}/$1" "$files/$1" ;;
  esac
}

for name in SHA256SUMS "$command" "$provider"; do fetch "$name"; done

if [ -n "$FINGERPRINT" ]; then
  fetch SHA256SUMS.sig
  fetch release-key.asc
  home=$(mktemp -d)
  trap 'rm -rf "$home"' EXIT
  gpg --homedir "$home" --batch --quiet --import "$files/release-key.asc"
  # A subkey may have signed: the last word of the line is the primary key.
  signer=$(gpg --homedir "$home" --batch --status-fd 1 --verify "$files/SHA256SUMS.sig" "$files/SHA256SUMS" 2>/dev/null |
    awk '$2 == "VALIDSIG" { print $NF }') || true
  wanted=$(printf '%s' "$FINGERPRINT" | tr -d ' :' | tr '[:lower:]' '[:upper:]')
  [ "$signer" = "$wanted" ] || fail "SHA256SUMS is not signed by $FINGERPRINT."
fi

for name in "$command" "$provider"; do
  # An unlisted file is refused like a changed one.
  (cd "$files" && awk -v name="$name" '$2 == name' SHA256SUMS | grep . | sha256sum --check --quiet -) ||
    fail "$name is not the file that SHA256SUMS lists."
done

case "$archive" in
  tar.gz) tar -xzf "$files/$command" -C "$folder" ;;
  zip) mkdir -p "$folder/bin" && unzip -qo "$files/$command" -d "$folder/bin" ;;
esac
bin="$folder/deploymgmt_${VERSION}_$platform"
[ "$archive" = tar.gz ] || bin="$folder/bin"

mirror="$folder/mirror"
target="$mirror/registry.terraform.io/deploymgmt/deploymgmt/$VERSION/$platform"
mkdir -p "$target"
unzip -qo "$files/$provider" -d "$target"
cat >"$folder/terraform.rc" <<END
provider_installation {
  filesystem_mirror {
    path    = "$mirror"
    include = ["deploymgmt/deploymgmt"]
  }
  direct {
    exclude = ["deploymgmt/deploymgmt"]
  }
}
END
rm -r "$files"

echo "$bin" >>"$GITHUB_PATH"
echo "TF_CLI_CONFIG_FILE=$folder/terraform.rc" >>"$GITHUB_ENV"
echo "command=$bin/deploymgmt" >>"$GITHUB_OUTPUT"
"$bin/deploymgmt" --version
