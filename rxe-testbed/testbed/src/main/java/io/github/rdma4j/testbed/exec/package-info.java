// SPDX-License-Identifier: Apache-2.0
/**
 * Many commands, files and connections over one pair of byte streams: the client of {@code exec.pl}, which is the
 * command of a guest. The package does not depend on guests.
 */
@NullMarked
package io.github.rdma4j.testbed.exec;

import org.jspecify.annotations.NullMarked;
