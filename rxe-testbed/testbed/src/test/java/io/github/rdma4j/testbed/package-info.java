// SPDX-License-Identifier: Apache-2.0
/** Unit tests of the testbed. */
@NullMarked
package io.github.rdma4j.testbed;

import org.jspecify.annotations.NullMarked;
