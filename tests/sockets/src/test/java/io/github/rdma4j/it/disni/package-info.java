// SPDX-License-Identifier: Apache-2.0
/** Programs that use DiSNI, on rdma4j. Each runs in a JVM of its own, as DiSNI and its users keep what they open. */
@NullMarked
package io.github.rdma4j.it.disni;

import org.jspecify.annotations.NullMarked;
