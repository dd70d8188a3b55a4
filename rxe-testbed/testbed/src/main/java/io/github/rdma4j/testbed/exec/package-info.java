// SPDX-License-Identifier: Apache-2.0
/**
 * Many commands, files and connections over one pair of byte streams: the client of {@code exec.pl}, which runs in a
 * guest as the guest's command. The package knows nothing of guests.
 */
@NullMarked
package io.github.rdma4j.testbed.exec;

import org.jspecify.annotations.NullMarked;
