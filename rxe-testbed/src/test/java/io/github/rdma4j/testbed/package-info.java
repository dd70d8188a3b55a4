// SPDX-License-Identifier: Apache-2.0
/** Unit tests of the testbed, and tests that boot guests. */
@NullMarked
package io.github.rdma4j.testbed;

import org.jspecify.annotations.NullMarked;
