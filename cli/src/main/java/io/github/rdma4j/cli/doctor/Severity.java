// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

/** How bad a finding is. */
enum Severity {
    /** As it should be. */
    OK,
    /** Something works less well, or not for every use. */
    WARN,
    /** RDMA cannot be used before this is mended. */
    FAIL
}
