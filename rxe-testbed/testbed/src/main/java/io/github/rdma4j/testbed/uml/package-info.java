// SPDX-License-Identifier: Apache-2.0
/** User Mode Linux: the kernel as an ordinary process. */
@NullMarked
package io.github.rdma4j.testbed.uml;

import org.jspecify.annotations.NullMarked;
