// SPDX-License-Identifier: Apache-2.0
/**
 * {@code rdma4j verify}: checks of a device with every kind of work request and the programs, and a report to send in.
 */
@NullMarked
package io.github.rdma4j.cli.verify;

import org.jspecify.annotations.NullMarked;
