// SPDX-License-Identifier: Apache-2.0
/** Unit tests of User Mode Linux guests. */
@NullMarked
package io.github.rdma4j.testbed.uml;

import org.jspecify.annotations.NullMarked;
