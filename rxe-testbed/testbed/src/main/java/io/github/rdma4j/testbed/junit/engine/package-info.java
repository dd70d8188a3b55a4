// SPDX-License-Identifier: Apache-2.0
/**
 * The test engine of {@code @SoftRoce}: it mirrors the tests that Jupiter discovers, runs them with the ordinary
 * launcher in a JVM in the guest, and reports the results.
 */
@NullMarked
package io.github.rdma4j.testbed.junit.engine;

import org.jspecify.annotations.NullMarked;
