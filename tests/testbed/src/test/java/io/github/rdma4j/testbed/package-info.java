// SPDX-License-Identifier: Apache-2.0
/** Tests of the testbed that boot guests, and of the launcher. */
@NullMarked
package io.github.rdma4j.testbed;

import org.jspecify.annotations.NullMarked;
