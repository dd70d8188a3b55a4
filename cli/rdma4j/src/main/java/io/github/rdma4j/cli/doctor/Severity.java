// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

/** The severity of a finding. */
enum Severity {
    /** No problem. */
    OK,
    /** A problem that slows RDMA down or prevents some uses. */
    WARN,
    /** A problem that prevents the use of RDMA. */
    FAIL
}
