// SPDX-License-Identifier: Apache-2.0
/**
 * The test engine behind {@code @SoftRoce}: it mirrors what Jupiter discovers, runs it with the ordinary launcher in a
 * JVM in the guest, and reports what comes back.
 */
@NullMarked
package io.github.rdma4j.testbed.junit.engine;

import org.jspecify.annotations.NullMarked;
