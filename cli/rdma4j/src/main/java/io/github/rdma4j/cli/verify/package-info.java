// SPDX-License-Identifier: Apache-2.0
/** The verification of a device: every kind of work request and the programs, with a report to send in. */
@NullMarked
package io.github.rdma4j.cli.verify;

import org.jspecify.annotations.NullMarked;
