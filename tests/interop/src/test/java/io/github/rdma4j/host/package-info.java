// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the errors that users see on a machine without RDMA. The tests run on this machine and need no device; some
 * start guests.
 */
@NullMarked
package io.github.rdma4j.host;

import org.jspecify.annotations.NullMarked;
