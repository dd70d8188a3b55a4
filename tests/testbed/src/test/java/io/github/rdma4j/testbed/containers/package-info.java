// SPDX-License-Identifier: Apache-2.0
/** Tests with a real Docker engine. */
@NullMarked
package io.github.rdma4j.testbed.containers;

import org.jspecify.annotations.NullMarked;
