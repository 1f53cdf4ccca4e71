# The command and the provider for Terraform in one image, from the files of a release:
#
#   npm run release
#   docker build --build-context release=dist/release --build-arg VERSION=0.1.0 .
#
# They bring all that they need: the image below has no Node.js, and another one serves as well.
ARG TERRAFORM=1.14.0

FROM hashicorp/terraform:${TERRAFORM} AS terraform

FROM alpine:3.22 AS unpacked
ARG VERSION
ARG TARGETARCH
WORKDIR /release
COPY --from=release SHA256SUMS deploymgmt_${VERSION}_linux_${TARGETARCH}.tar.gz \
  terraform-provider-deploymgmt_${VERSION}_linux_${TARGETARCH}.zip ./
# The sums of what is here, each of which has to be listed.
RUN for file in *_linux_*; do \
    awk -v name="${file}" '$2 == name' SHA256SUMS > listed && test -s listed && sha256sum -c listed || exit 1; done \
  && mkdir -p /opt/deploymgmt "/opt/mirror/registry.terraform.io/deploymgmt/deploymgmt/${VERSION}/linux_${TARGETARCH}" \
  && tar -xzf "deploymgmt_${VERSION}_linux_${TARGETARCH}.tar.gz" -C /opt/deploymgmt --strip-components 1 \
  && unzip -q "terraform-provider-deploymgmt_${VERSION}_linux_${TARGETARCH}.zip" \
    -d "/opt/mirror/registry.terraform.io/deploymgmt/deploymgmt/${VERSION}/linux_${TARGETARCH}"
COPY examples/docker/terraform.rc /opt/mirror/terraform.rc

FROM alpine:3.22
# States may be kept in git.
# hadolint ignore=DL3018
RUN apk add --no-cache ca-certificates git openssh-client \
  && ln -s /opt/deploymgmt/deploymgmt /usr/local/bin/deploymgmt \
  && adduser -D deploymgmt
COPY --from=terraform /bin/terraform /usr/local/bin/terraform
COPY --from=unpacked /opt /opt
ENV TF_CLI_CONFIG_FILE=/opt/mirror/terraform.rc
USER deploymgmt
WORKDIR /work
ENTRYPOINT ["deploymgmt"]
