// SPDX-License-Identifier: Apache-2.0
/** Tests of the test engine with guests. */
@NullMarked
package io.github.rdma4j.testbed.junit;

import org.jspecify.annotations.NullMarked;
